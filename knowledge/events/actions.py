"""What a headline says is done, whether it says that it was not, in Korean and in English. Pure."""

import re

from knowledge.pulses.headlines import DOWN_WORDS, UP_WORDS, caseless

# A word or two may stand between a verb and what it is about.
BETWEEN = r"(?:\s*[가-힣]{1,6}){0,2}\s*"
SOME_WORDS = r"(?:\W+\w+){0,4}?\W+"
RATE = r"(?:금리|bp|%p|포인트|\brates?\b|half[ -]point|quarter[ -]point|basis points)"

# Opposites (approved and rejected, up and down) are facets of their own: they never are one event.
FACETS: dict[str, re.Pattern[str]] = {
    "hack": re.compile(
        r"해킹|유출|탈취|도난|털[렸려린]|뚫[렸려린]|무단\s*반출|\b(?:loses?|lost) (?:about )?\$?[\d,.]+|"
        rf"(?:비정상|무단){BETWEEN}(?:출금|이체|인출|빠져)|(?:무단으로|핫월렛|지갑|에서|서)\s*[^.…]{{0,20}}빠져나[갔간가]|"
        r"\b(?:hack(?:s|ed|er|ers|ing)?|exploit(?:s|ed|er|ing)?|breach(?:es|ed)?|stolen|steals?|stole|"
        r"drain(?:s|ed)|"
        r"leak(?:s|ed)?|theft|thieves|heist|robbed|security incident|attackers?|makes? off with|siphon\w*)\b|"
        r"\btokens? leave\b|\bleave its hot wallet\b"
    ),
    "merger": re.compile(
        r"합병|인수(?!위|인계)|주식\s*교환|지분\s*매각|회사\s*안\s*판다|상장\s*대신\s*매각|"
        r"\b(?:merg(?:e|es|ed|er|ers|ing)|acqui(?:re|res|red|ring|sition|sitions)(?! (?:another |"
        r"about )?[\d,]{3})|takeover|buyout|"
        r"weighs a sale|not for sale|stake in|share swap|stock swap)\b"
    ),
    "delisting": re.compile(
        r"(?:거래\s*지원|서비스|거래)\s*(?:완전\s*)?종료|상폐|상장\s*폐지|거래소서\s*퇴출|"
        r"\b(?:de-?list(?:s|ed|ing|ings)?|shut(?:s|ting)? down|shutters?|wind(?:s|ing) down)\b|"
        r"\b(?:to )?(?:drops?|removes?)\b[^.]{0,30}\b(?:from its market|token|pairs?)\b"
    ),
    "caution": re.compile(
        r"(?:거래\s*)?유의\s*종목|거래\s*유의|\b(?:caution|warning) (?:list|designation)|\bflags?\b"
    ),
    "roadmap": re.compile(r"상장\s*로드맵|\blisting roadmap\b"),
    "promotion": re.compile(
        r"거래\s*지원\s*기념|상장\s*기념|\[이벤트\]|에어드[롭랍]|\bairdrops?\b|\bgiveaway\b"
    ),
    "listing": re.compile(
        r"(?<!비)상장(?!\s*폐지|\s*로드맵|\s*대신|\s*기념|지수|사(?![가-힣])|사[가는의도를들]|기업|법인|회사)|"
        r"거래\s*지원(?!\s*종료|\s*기념)|마켓\s*추가|"
        r"마켓(?:에|\s)*(?:올린다|올라|입성|오른다)|(?:거래\s*)(?:시작|개시)|NYSE 데뷔|nyse 데뷔|"
        r"(?<![\w-])(?:lists|listed(?! (?:firms|companies|company))|listing(?! roadmap)|listings|to list|"
        r"ipo)\b|"
        r"\b(?:launching on|start(?:s)? trading|trading (?:starts|begins|opens)|won trading|"
        r"adds \w+ to its (?:won )?market)"
    ),
    "rejection": re.compile(
        r"거부|불승인|불허|반려|기각|부결|"
        r"\b(?:reject(?:s|ed|ion|ing)?|disapprov\w+|dismiss(?:es|ed|al)?(?! (?:a |the )?(?:report|"
        r"rumou?r|claim|talk))|"
        rf"den(?:y|ies|ied|ial)(?={SOME_WORDS}(?:application|approval|request|by)))\b"
    ),
    "delay": re.compile(
        r"(?:심사|결정|결론|기한|승인)[^.…]{0,12}(?:미[뤄뤘루]|연기|연장)|\b(?:pushes back|delays?|delayed|postpones?|"
        r"extends? review)\b"
    ),
    "approval": re.compile(
        r"(?<![불미])승인(?!\s*(?:한|하지|된|은\s*오보|을\s*부인))|(?<!미)인가|허가|허용|통과|의결|가결|문턱[을\s]*넘|"
        r"\b(?:approv(?:e|es|ed|al|als|ing)|green-?lights?|greenlit|clears?|cleared|pass(?:es|ed)|"
        r"allows?|permits?)\b"
    ),
    "sanction": re.compile(
        r"제재|검사|현장\s*점검|점검반|과징금|과태료|영업\s*정지|수사(?!국)|압수\s*수색|"
        r"\b(?:sanction(?:s|ed)?|inspect(?:s|ed|ion|ions|ing)?|probes?|probed|fine[sd]|penalt(?:y|ies)|"
        r"investigat(?:e|es|ed|ion|ing)|crackdown)\b"
    ),
    "rate cut": re.compile(
        rf"{RATE}[^.…]{{0,25}}(?:인하|내[려렸린]|하향)|제로\s*금리|0%대 기준금리|"
        r"\b(?:cuts?|lowers?|trims?|slash(?:es|ed)?)\b[^.]{0,30}\b(?:rates?|point|points|near zero)\b|"
        r"\bcut to\b|"
        r"\btakes rates to zero\b|half-point cut|quarter-point cut|\bbank of \w+ cut\b|연준[^.…]{0,20}인하|"
        r"인하\s*이튿날"
    ),
    "rate rise": re.compile(
        rf"{RATE}[^.…]{{0,25}}(?:인상|올[렸려랐라린])|\b(?:lifts?|raises?|hikes?)\b[^.]{{0,30}}\b(?:rates?|point|"
        rf"points)\b"
    ),
    "rate hold": re.compile(
        r"금리[^.…]{0,12}(?:동결|묶)|fomc\s*동결|\brates? (?:unchanged|steady|on hold)\b|\b(?:holds?|leaves?|"
        r"keeps?) (?:interest )?rates?\b"
    ),
    "purchase": re.compile(
        r"매입|매수|사들[였이인여]|샀다|산다|사모[았으]|\bbuys?\b|\bbought\b|\bpurchas(?:e|es|ed)\b|\bacquir(?:e|es|"
        r"ed) (?:another |about )?[\d,]+|\badds (?:another )?[\d,]+"
    ),
    "transfer": re.compile(
        r"(?:지갑|고래|주소|개)[^.…]{0,20}(?:이동|옮[겨긴겼])|(?:wallet|address|whale)\b[^.]{0,40}\b(?:moves?|moved|"
        r"shift(?:s|ing|ed)?|transfers?)\b"
    ),
    "committee": re.compile(
        r"상임위|정무위|기재위|법사위|(?<!인)소위(?!원)|\b(?:committee|subcommittee|panel)\b"
    ),
    "lower house": re.compile(
        r"하원|\b(?:house (?:passes|approves|votes|clears)|house of representatives)\b"
    ),
    "upper house": re.compile(r"상원(?!으로)|\bsenate\b"),
    "full parliament": re.compile(r"본회의|\b(?:parliament|national assembly)\b"),
    "signature": re.compile(r"서명(?!\s*(?:화면|만\s*남))|\bsign(?:s|ed)\b"),
    "price down": re.compile(
        DOWN_WORDS.pattern + r"|달러[^.…]{0,6}(?:깨[졌져]|내[줬주])|밀려|\bslide\b|\bunder \$"
    ),
    "price up": re.compile(UP_WORDS.pattern + r"|되찾[아았]|달러선?\s*회복|뛰어|뛰었"),
    "enforcement": re.compile(
        r"시행(?!착오)|발효|"
        r"\b(?:takes? effect|took effect|comes? into (?:force|effect)|enact(?:s|ed)?|signed into law)\b"
    ),
    "maintenance": re.compile(
        r"점검에\s*따른|(?:시스템|정기|네트워크)\s*점검|\b(?:scheduled )?maintenance\b"
    ),
    "halt": re.compile(
        r"(?:입출금|입금|출금|전송)[^.…]{0,10}(?:중단|멈|막|재개|다시\s*열|정지)|"
        r"\b(?:freezes?|pauses?|paused|halts?|reopens?|resumes?|suspends?)\b[^.]{0,12}\b(?:transfers?|"
        r"withdrawals?|deposits?)\b"
    ),
    "upgrade": re.compile(r"업그레이드|하드\s*포크|메인넷|\b(?:upgrades?|hard[ -]?fork|mainnet)\b"),
    "test run": re.compile(r"테스트넷|시험\s*가동|\b(?:testnet|test (?:network|run))\b"),
    "filing": re.compile(r"신청|출원|접수|\b(?:fil(?:e|es|ed|ing)|appl(?:y|ies|ied)|applications?)\b"),
    "raise": re.compile(r"조달|유치|투자받|모아|\b(?:rais(?:e|es|ed|ing)|funding|series [a-d])\b"),
    "lawsuit": re.compile(
        r"소송|고소|고발|기소|판결|선고|항소|재판|\b(?:lawsuits?|sues?|sued|court|judge|ruling|appeals?|verdict|"
        r"sentenc(?:e|es|ed)|indict\w*|charg(?:es|ed)|convict\w*|guilty|prison)\b|징역"
    ),
    "pilot": re.compile(r"시범|실험|\bpilots?\b|\btrials?\b"),
    "launch": re.compile(r"출시|출범|선보[여인이]|\b(?:launch(?:es|ed)?|debuts?|rolls? out|unveils?)\b"),
    "halving": re.compile(r"반감기|반으로\s*줄|\bhalvings?\b"),
    "bankruptcy": re.compile(r"파산|회생|지급\s*불능|\b(?:bankrupt\w*|insolven\w+|chapter 11)\b"),
    "burn": re.compile(r"소각|\bburn(?:s|ed|ing)?\b"),
    "depeg": re.compile(
        r"디페[깅그]|페깅|연동[^.…]{0,6}깨|\bde-?peg\w*|\blos(?:es|t) (?:its )?(?:dollar )?peg\b"
    ),
    "appointment": re.compile(
        r"선임|임명|지명|취임|사임|퇴임|\b(?:appoint\w*|nam(?:es|ed) [^.]{0,30}(?:ceo|chair|chief|head)|nominat\w+|"
        r"resign\w*|steps? down|sworn in)\b"
    ),
    "reserve": re.compile(r"비축|준비금|\breserves?\b"),
    "outage": re.compile(
        r"장애|먹통|마비|접속\s*(?:지연|불가|폭주)|서버\s*다운|(?:네트워크|블록\s*생성)\s*(?:중단|멈)|멈췄|재가동|"
        r"\b(?:outages?|downtime|goes down|went down|disrupted|back online|stoppage|halts? block production)\b"
    ),
}
# A theft halts withdrawals and ends in court: these forbid nothing where they differ, and count where they are shared.
# A step before the deed is news of its own, and its words are those of the deed.
BEFORE = {"test run": {"upgrade", "approval", "launch"}, "committee": {"full parliament"}}
STAGES = frozenset(["committee", "lower house", "upper house", "full parliament", "signature"])
PASSING = frozenset(
    [
        *("halt", "purchase", "transfer", "filing", "raise", "lawsuit", "pilot", "launch"),
        *("halving", "bankruptcy", "burn", "depeg", "appointment", "reserve"),
        *STAGES,
    ]
)
DENIAL = re.compile(
    r"부인(?!과)|사실무근|사실[이은]?\s*(?:전혀\s*)?아[니닙냐님]|오보|(?:한|받은|된|낸|간)\s*(?:적|바)[이도은]?\s*(?:전혀\s*)?없|"
    r"(?:계획|의향|의사|생각|이유|근거|논의|접촉)[은이도]?\s*(?:전혀\s*)?없|"
    r"(?:정해진|확정된|결정된|확인된|논의된|검토된|합의된)\s*(?:것|바|사항|내용|건)|(?:결정|확정|검토|논의|합의)한\s*바|"
    r"안\s*(?:판다|한다|했다|판|떠난다|나간다|물러난다|해[\"”'’])|지\s*않[았는을기]|않는다|선\s*(?:그|긋)|도\s*없었다|아직\s*심사\s*중|"
    r"사실과\s*(?:전혀\s*)?(?:다[르릅른]|달[라랐])|일축|반박|낭설|헛소문|뜬소문|가짜\s*뉴스|허위\s*(?:사실|정보|보도)|터무니없|"
    r"소설[\"”'’]|억측|와전|루머(?:일\s*뿐|에\s*불과)|"
    r"\b(?:(?:has|have|had|is|was|were|did|does|do|are|will|am)(?:\s+not|n[\'’]t)|i[\'’]m not|won[\'’]t|"
    r"den(?:y|ies|ied)(?! by)|"
    rf"(?:dismiss(?:es|ed)?|rejects?|rejected|disputes?|rubbish(?:es|ed)|brush(?:es|ed)? (?:off|aside)|shoots? down|"
    rf"push(?:es|ed)? back (?:on|against)|knocks? down|pours? cold water on|rules? out)\b{SOME_WORDS}?"
    r"(?:reports?|rumou?rs?|claims?|talks?|speculation|story|stories|chatter|allegations?)\b|"
    r"refut(?:e|es|ed)|rebuff\w*|no (?:plans?|intention|talks|truth|basis|such)|untrue|"
    r"not (?:true|in talks|planning|considering)|"
    r"baseless|groundless|nothing (?:(?:has|is|was|been|yet|being) )*(?:decided|agreed|final|settled|signed|planned)|"
    r"not for sale|(?:made |has )?no decision|still under review|unfounded|debunks?|fake news|"
    r"(?:false|inaccurate|fabricated) (?:reports?|rumou?rs?|claims?|story|stories)|never)\b"
)
# Whose headline says only that it is a statement says in its lead what it states.
STATEMENT = re.compile(
    r"입장|해명|답변|유포|풍문|루머|소문|보도|관련|\b(?:statement|response|responds?|regarding|clarif\w+)\b"
)


COLUMN = re.compile(
    r"[\[【(<][^\])】>]{0,8}(?:칼럼|전망|인터뷰|기고|사설|오피니언|기자수첩|분석|연재|르포|용어|상식|해설|대담|만평|"
    r"취재|데스크|체크)[^\])】>]{0,4}[\])】>]|(?:관전|체크)\s*포인트|총정리|a\s*to\s*z|알아보기|"
    r"^(?:opinion|column|interview|editorial|explainer|analysis|podcast|q&a|review|profile|explained|comment|"
    r"feature|essay)\b\s*[:|]|\b(?:to watch|week ahead|explained|how to|a (?:beginner[\'’]s )?guide)\b"
)


def action_facets(title: str, lead: str = "") -> frozenset[str]:
    """The facets named in the headline; those of the lead only where the headline names none, because leads
    also tell the background."""
    return _facets(title) or _facets(lead)


def is_denial(title: str, lead: str = "") -> bool:
    """Whether the headline says that something reported did not happen or is not decided; or its lead does, where the
    headline says only that there is a statement."""
    plain = caseless(title)
    return DENIAL.search(f"{plain} {caseless(lead)}" if STATEMENT.search(plain) else plain) is not None


def is_column(title: str) -> bool:
    """Whether the headline says that it is an opinion, an outlook or an interview, which report no event."""
    return COLUMN.search(caseless(title)) is not None


def _facets(text: str) -> frozenset[str]:
    plain = caseless(text)
    found = {name for name, words in FACETS.items() if words.search(plain)}
    return frozenset(found.difference(*(BEFORE[name] for name in found & BEFORE.keys())))
