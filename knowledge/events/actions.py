"""What a headline says is done, whether it says that it was not, in Korean and in English. Pure."""

import re

from knowledge.pulses.headlines import DOWN_WORDS, UP_WORDS, caseless

# A word or two may stand between a verb and what it is about.
BETWEEN = r"(?:\s*[가-힣]{1,6}){0,2}\s*"
SOME_WORDS = r"(?:\W+\w+){0,4}?\W+"
RATE = r"(?:금리|bp|%p|포인트|\brates?\b|half[ -]point|quarter[ -]point|basis points)"

# A point within a number or an abbreviation ends no sentence.
POINT = re.compile(r"(?<=\d)\.(?=\d)|(?<=\bu)\.(?=s\b)|(?<=\bu\.s)\.")
# Where a bill goes next, and what is let go or missed, is no vote and no price.
NO_ACTION = re.compile(
    r"(?:heads?|goes|moves?|sent|on|now) to (?:the )?(?:senate|house|president\S* desk)|"
    r"falls? (?:\d+ votes )?short|falls? \d+ votes|"
    r"\bdrop(?:s|ped|ping) (?!\d+[.,\d]*\s?%|\$|[\d.,]+\w* (?:\w+ )?tokens|below|under|to|as|after|on|in|by|"
    r"back|from|amid|and|for|more|sharply|nearly|"
    r"almost|about)"
)

# Opposites (approved and rejected, up and down) are facets of their own: they never are one event.
FACETS: dict[str, re.Pattern[str]] = {
    "hack": re.compile(
        r"해킹|해커|유출|탈취|도난|털[렸려린]|뚫[렸려린]|무단\s*반출|\b(?:loses?|lost) (?:about )?\$?[\d,.]+|"
        r"\d\S* ?(?:달러|원|불)\S* ?(?:증발|사라[졌진]|피해|잃[었어은])|빼[간갔]|"
        rf"(?:비정상|무단|이상){BETWEEN}(?:출금|이체|인출|빠져)|(?:무단으로|핫월렛|지갑|에서|서)\s*[^.…]{{0,20}}빠져나[갔간가]|"
        r"\b(?:hack(?:s|ed|er|ers|ing)?|exploit(?:s|ed|er|ing)?|breach(?:es|ed)?(?! (?:the )?\$?\d)|stolen|"
        r"steals?|stole|"
        r"drain(?:s|ed)|"
        r"(?:irregular|abnormal|unusual|suspicious|unauthori[sz]ed) "
        r"(?:outflows?|transfers?|withdrawals?|transactions?)|leak(?:s|ed)?|theft|thieves|loot(?:s|ed)?|"
        r"swip(?:es|ed)|pilfer\w*|compromised|heist|robbed|"
        r"security incident|attackers?|makes? off with|siphon\w*)\b|"
        r"\btokens? leave\b|\bleave its hot wallet\b"
    ),
    "scam": re.compile(
        r"피싱|사칭|사기|폰지|다단계|유사\s*수신|먹튀|"
        r"\b(?:phish\w*|scams?|scammers?|fraud\w*|ponzi|rug ?pull\w*|impersonat\w+|swindl\w+)\b"
    ),
    "partnership": re.compile(
        r"맞손|손\s?잡|제휴|협약|업무\s*협력|\bmou\b|"
        r"\b(?:partners? with|partnership|teams? up|joins? forces|signs? \w+ (?:for|to|with))\b"
    ),
    "layoffs": re.compile(
        r"감원|구조\s*조정|희망\s*퇴직|정리\s*해고|인력\s*(?:감축|줄)|\b(?:lay-?offs?|lays? off|laid off|job cuts|"
        r"cuts? (?:\w+ ){0,3}(?:jobs|staff|workforce)|axes? (?:\w+ )?(?:jobs|staff))\b"
    ),
    "earnings": re.compile(
        r"실적|영업\s*(?:이익|손실)|순\s*(?:이익|손실)|매출|\b(?:earnings|net (?:income|profit|loss)|revenue|"
        r"(?:quarterly|first-quarter|second-quarter|third-quarter|fourth-quarter) (?:profit|loss|revenue|results))\b"
    ),
    "fund flow": re.compile(
        r"순\s*유[입출]|자금\s*(?:유입|유출|이탈)|\b(?:inflows?|(?<!irregular )outflows?|net (?:buying|selling))\b"
    ),
    "issue": re.compile(r"발행(?!량|액)|\b(?:issues|issued|issuance|mints?|minted)\b"),
    "rename": re.compile(
        r"사명\s*(?:변경|바꾼|바꿔)|이름\s*바[꾸꾼꿔]|리브랜딩|\b(?:renam\w+|rebrand\w*|changes? (?:its )?name)\b"
    ),
    "fee": re.compile(
        r"수수료[^.…]{0,10}(?:인하|무료|면제|인상|폐지|내[려린])|\b(?:zero[- ]fee|fee[- ]free|waives? fees|"
        r"(?:cuts?|raises?|scraps?|slashes) (?:\w+ )?fees)\b"
    ),
    "buyback": re.compile(r"자사주|바이백|\b(?:buy-?backs?|repurchas\w+)\b"),
    "kidnap": re.compile(r"납치|감금|인질|\b(?:kidnap\w*|abduct\w*|hostage|held captive)\b"),
    "survey": re.compile(r"설문|여론\s*조사|응답자|\bsurvey\w*\b|\bpoll (?:finds|shows|says)\b"),
    "merger": re.compile(
        r"합병|인수(?!위|인계)|주식\s*교환|지분\s*매각|품는다|품에\s*안|회사\s*안\s*판다|상장\s*대신\s*매각|"
        r"\b(?:merg(?:e|es|ed|er|ers|ing)|acqui(?:re|res|red|ring|sition|sitions)(?! (?:another |"
        r"about )?[\d,]{3})|takeover|buyout|"
        r"snap(?:s|ped) up|tie-up|weighs a sale|not for sale|stake in|share swap|stock swap)\b"
    ),
    "delisting": re.compile(
        r"(?:거래\s*지원|서비스|거래)\s*(?:완전\s*)?종료|상폐|상장\s*폐지|거래소서\s*퇴출|"
        r"\b(?:ends?|ceases?|terminates?) (?:trading )?support\b|"
        r"\b(?:de-?list(?:s|ed|ing|ings)?|shut(?:s|ting)? down|shutters?|wind(?:s|ing) down)\b|"
        r"\b(?:to )?(?:drops?|removes?)\b[^.]{0,30}\b(?:from its market|token|pairs?)\b"
    ),
    "caution": re.compile(
        r"(?:거래\s*)?유의\s*종목|거래\s*유의|\b(?:caution|warning) (?:list|designation)|\bflags?\b"
    ),
    "roadmap": re.compile(r"상장\s*로드맵|\blisting roadmap\b"),
    "promotion": re.compile(
        r"\bdrops? [\d,.]+\w* (?:\w+ )?tokens\b|무상\s*(?:배포|지급)|"
        r"거래\s*지원\s*기념|상장\s*기념|\[이벤트\]|에어드[롭랍]|\bairdrops?\b|\bgiveaway\b"
    ),
    "listing": re.compile(
        r"(?<!비)상장(?!\s*폐지|\s*(?:뒷돈|대가|피|비리|수수료|청탁|팀|브로커|감독)|\s*로드맵|\s*대신|\s*기념|지수|사(?![가-힣])|사[가는의도를들]|기업|법인|회사)|"
        r"거래\s*지원(?!\s*종료|\s*기념)|마켓[^.…]{0,12}(?:추가|오픈|개설|개장)|국내\s*첫선|"
        r"마켓(?:에|\s)*(?:올린다|올라|입성|오른다)|(?:거래\s*)(?:시작|개시)|NYSE 데뷔|nyse 데뷔|"
        r"(?<![\w-])(?:lists|listed(?! (?:firms|companies|company))|(?<!-)listing(?! roadmap|-| bribe|"
        r" fees?)|listings|to list|"
        r"ipo)\b|"
        r"\b(?:(?:begins?|opens?) trading|goes live on|trades? for the first time|(?:first|second|"
        r"third) day of trading|launching on|start(?:s)? trading|trading (?:starts|begins|opens)|won trading|"
        r"(?:market|exchange|trading|spot|nyse|nasdaq) debut|opens? (?:a )?(?:won|krw|spot)\b|"
        r"adds \w+ to its (?:won )?market)"
    ),
    "veto": re.compile(r"거부권|재의결|\bveto\w*|\boverrid\w+"),
    "revocation": re.compile(
        r"(?:인가|허가|면허|등록|라이선스)\S{0,2}\s*(?:취소|박탈|잃|말소|상실)|\brevok\w+|"
        r"\bstrip(?:s|ped)?\b[^.]{0,30}\b(?:licen[cs]e|registration)|\b(?:licen[cs]e|"
        r"registration) (?:revoked|cancel)"
    ),
    "rejection": re.compile(
        r"거부(?!권)|불승인|불허|반려|기각|부결|"
        r"\b(?:refus(?:es|ed|al)|snub(?:s|bed)?|reject(?:s|ed|ion|ing)?|disapprov\w+|dismiss(?:es|ed|"
        r"al)?(?! (?:a |the )?(?:report|"
        r"rumou?r|claim|talk))|"
        rf"den(?:y|ies|ied|ial)(?={SOME_WORDS}(?:application|approval|request|by)))\b"
    ),
    "delay": re.compile(
        r"(?:심사|결정|결론|기한|승인)[^.…]{0,12}(?:미[뤄뤘루]|연기|연장)|\b(?:pushes back|delays?|delayed|postpones?|"
        r"extends? review)\b"
    ),
    "approval": re.compile(
        r"(?<![불미])승인(?!\s*(?:한|하지|된|은\s*오보|을\s*부인))|(?<!미)인가(?!\S{0,2}\s*(?:취소|박탈|잃|말소|신청|심사|없))|"
        r"허가(?!\S{0,2}\s*(?:취소|박탈|잃|없))|허용|통과|의결|가결|문턱[을\s]*넘|"
        r"\b(?:approv(?:e|es|ed|al|als|ing)|green-?lights?|greenlit|go-ahead|gets? (?:the |a )?nod|"
        r"signs? off|clears?|cleared|pass(?:es|ed)|"
        r"grants?|allows?|permits?|waves? through|sails? through)\b"
    ),
    "sanction": re.compile(
        r"제재|검사|현장\s*점검|점검반|과징금|과태료|벌금|징계|문책|시정\s*명령|기관\s*경고|영업\s*(?:일부\s*)?정지|"
        r"\b(?:sanction(?:s|ed)?|inspect(?:s|ed|ion|ions|ing)?|probes?|probed|fine[sd]|penalt(?:y|ies)|"
        r"examiners?|censures?|reprimand\w*|cease-and-desist|ordered to pay|slap(?:s|ped) [^.]{0,30}with|"
        r"investigat(?:e|es|ed|ion|ing)|crackdown)\b"
    ),
    "raid": re.compile(
        r"수사(?!국)|압수\s*수색|영장|체포|검거|구속|붙잡|덜미|송치|수배|입건|"
        r"\b(?:raid(?:s|ed)?|police|search(?:es|ed)? (?:\w+ ){0,3}(?:exchange|offices?|"
        r"headquarters|premises|home)|arrest(?:s|ed)?|nab(?:s|bed)|bust(?:s|ed)?|in custody|detain(?:s|ed)?)\b"
    ),
    "bribe": re.compile(
        r"뒷돈|뇌물|금품|리베이트|배임\s*수재|상장\s*(?:대가|비리|청탁)|상장피|"
        r"\b(?:brib\w+|kickbacks?|backhanders?)\b"
    ),
    "rate cut": re.compile(
        rf"{RATE}[^.…]{{0,25}}(?:인하|내[려렸린]|하향)|제로\s*금리|0%대 기준금리|"
        r"\b(?:cuts?|lowers?|trims?|slash(?:es|ed)?)\b[^.]{0,30}\b(?:rates?|point|points|near zero)\b|"
        r"\bcut to\b|"
        r"\btakes rates to zero\b|half-point cut|quarter-point cut|\bbank of \w+ cut\b|연준[^.…]{0,20}인하|"
        r"인하\s*이튿날|(?:베이비|빅|자이언트)\s*컷|(?:연준|한은|중앙은행|일본은행|영란은행|\bboj|\becb|\bfed)[^.…]{0,8}(?:인하|내[려렸린])|"
        r"\b(?:fed|bo[ejk]|ecb|central bank) (?:cuts?|lowers?|eases?|trims?)\b"
    ),
    "rate rise": re.compile(
        rf"{RATE}[^.…]{{0,25}}(?:인상|올[렸려랐라린])|\b(?:lifts?|raises?|hikes?)\b[^.]{{0,30}}\b(?:rates?|point|"
        rf"points)\b|(?:연준|한은|중앙은행|일본은행|영란은행|\bboj|\becb|\bfed)[^.…]{{0,8}}(?:인상|올[려렸린])|"
        r"\b(?:fed|bo[ejk]|ecb|central bank) (?:raises?|hikes?|lifts?|tightens?)\b"
    ),
    "rate hold": re.compile(
        r"금리[^.…]{0,12}(?:동결|묶)|fomc\s*동결|\brates? (?:unchanged|steady|on hold)\b|\b(?:holds?|leaves?|"
        r"keeps?) (?:interest )?rates?\b|\b(?:fed|bo[ejk]|ecb|central bank|bank of \w+) (?:holds?|"
        r"sits? tight|stands? pat|"
        r"stays? put|pauses?)\b|(?:연준|한은|중앙은행|일본은행|영란은행|\bboj|\becb|\bfed)[^.…]{0,8}동결"
    ),
    "purchase": re.compile(
        r"매입|매수|사들[였이인여]|샀다|산다|사모[았으]|\bbuys?\b|\bbought\b|\bpurchas(?:e|es|ed)\b|\bacquir(?:e|es|"
        r"ed) (?:another |about )?[\d,]+|\badds (?:another )?[\d,]+"
    ),
    "transfer": re.compile(
        r"이체|\b(?:ships?|shipped|sends?|sent|moves?|moved|transfers?|transferred|spends?) [\d,.]+ (?:btc|"
        r"eth|bitcoin|ether)|"
        r"[\d,.]+ (?:btc|eth|bitcoin|ether) transfer|(?:지갑|고래|주소|개)[^.…]{0,20}(?:이동|옮[겨긴겼])|(?:wallet|"
        r"address|whale)\b[^.]{0,40}\b(?:moves?|moved|"
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
    "signature": re.compile(
        r"서명(?!\s*(?:화면|만\s*남|담당|유도))|\bsign(?:s|ed)\b(?! \w+ (?:for|to|with)\b)|"
        r"\b(?:becomes? law|signed into law|"
        r"signing ceremony|puts? (?:his|her) name to)"
    ),
    "price down": re.compile(
        DOWN_WORDS.pattern + r"|달러[^.…]{0,6}(?:깨[졌져]|내[줬주])|밀려|\bslide\b|\bunder \$"
    ),
    "price up": re.compile(
        UP_WORDS.pattern
        + r"|달러\S{0,2}\s*(?:되찾[아았]|회복|시대|넘어[섰서]|넘[었겼]|뚫[었고])|뛰어(?!난)|뛰었|"
        r"\b(?:breach(?:es|ed)?|tops?|topped|cross(?:es|ed)?|hits?|breaks?|clears?|reclaims?|past|"
        r"above) \$\d|\bnew peak\b"
    ),
    "enforcement": re.compile(
        r"시행(?!착오)|발효|"
        r"\b(?:takes? effect|took effect|comes? into (?:force|effect)|enact(?:s|ed)?)\b"
    ),
    "maintenance": re.compile(
        r"점검에\s*따른|(?:시스템|정기|네트워크)\s*점검|\b(?:scheduled )?maintenance\b"
    ),
    "halt": re.compile(
        r"(?:입출금|입금|출금|전송)[^.…]{0,10}(?:중단|멈|막|재개|다시\s*열|정지)|"
        r"(?:거래|매매)\s*(?:일시\s*)?(?:중단|재개|정지)|다시\s*(?:사고|거래)|계[정좌]\S?\s*(?:동결|묶)|"
        r"\b(?:stops?|halts?|resumes?|suspends?|pauses?) trad(?:e|ing)\b|"
        r"\b(?:freezes?|pauses?|paused|halts?|reopens?|resumes?|suspends?)\b[^.]{0,12}\b(?:transfers?|"
        r"accounts?|trading|withdrawals?|deposits?)\b"
    ),
    "upgrade": re.compile(r"업그레이드|하드\s*포크|메인넷|\b(?:upgrades?|hard[ -]?fork|mainnet)\b"),
    "test run": re.compile(r"테스트넷|시험\s*가동|시험망|\b(?:dry run|testnet|test (?:network|run))\b"),
    "filing": re.compile(r"신청|출원|접수|\b(?:fil(?:e|es|ed|ing)|appl(?:y|ies|ied)|applications?)\b"),
    "raise": re.compile(
        r"조달|유치|투자받|(?:원|달러|자금|투자금)\S?\s*모[아은았]|뭉칫돈|시리즈\s?[a-d]|"
        r"\b(?:rais(?:es|ed|ing)(?! (?:its |the |interest |key |policy |base )*rates?)|raise (?:\$|funds)|"
        r"funding|(?:bags|closes|secures|lands|nets) (?:an? )?\$|series [a-d])\b"
    ),
    "lawsuit": re.compile(
        r"소송|제소|법원|법정|무죄|유죄|가처분|[12]심|실형|집행\s*유예|구형|공판|손해\s*배상|고소|고발|기소|판결|선고|항소|재판|\b(?:lawsuits?|sues?|"
        r"sued|court|judge|ruling|"
        r"appeals?|verdict|"
        r"sentenc(?:e|es|ed)|indict\w*|charg(?:es|ed)|convict\w*|guilty|prison|jailed|acquit\w*|pleads?|"
        r"plead(?:ed)?|complaint|to court|class action|behind bars|trial|jury|injunction)\b|징역"
    ),
    "pilot": re.compile(r"시범|실험|\bpilots?\b|\btrials?\b"),
    "launch": re.compile(
        r"출시|출범|선보[여인이]|내놓|내놨|첫선|"
        r"\b(?:launch(?:es|ed)?|debuts?|rolls? out|unveils?|introduc(?:es|ed)|goes live)\b"
    ),
    "halving": re.compile(r"반감기|반으로\s*줄|\bhalvings?\b"),
    "bankruptcy": re.compile(
        r"파산|회생|법정\s*관리|지급\s*불능|부도|폐업|\b(?:bankrupt\w*|insolven\w+|chapter 11|"
        r"goes? (?:bust|under)|court protection|receivership)\b"
    ),
    "burn": re.compile(r"소각|불태[웠운]|\bburn(?:s|ed|ing)?\b"),
    "depeg": re.compile(
        r"디페[깅그]|페깅|연동[^.…]{0,6}깨|\bde-?peg\w*|\blos(?:es|t) (?:its )?(?:dollar )?peg\b"
    ),
    "appointment": re.compile(
        r"선임|임명|지명|취임|인준|사임|사퇴|퇴임|물러[나난날]|"
        r"\b(?:appoint\w*|nam(?:es|ed) [^.]{0,30}(?:ceo|chair|chief|head)|"
        r"nominat\w+|"
        r"picks? [^.]{0,30} to (?:run|head|lead|chair)|confirms? [^.]{0,30} as|"
        r"resign\w*|steps? down|quits?|departs?|sworn in)\b"
    ),
    "liquidation": re.compile(
        r"(?<!엔캐리 )청산(?!\s*(?:절차|법인|형))|강제\s*퇴장|\b(?:liquidat\w+|wiped out|wipe-?out|washout|forced out|"
        r"squeezed?)\b"
    ),
    "unlock": re.compile(r"락업|언락|\b(?:vest(?:s|ed|ing)?|unlock(?:s|ed|ing)?)\b"),
    "extradition": re.compile(r"송환|범죄인\s*인도|\b(?:extradit\w+|flown to|deport\w*)\b"),
    "settlement": re.compile(
        r"합의[^.…]{0,12}(?:종결|마무리)|합의금|\bsettle(?:s|d|ment)?\b(?! (?:on|at|in|above|"
        r"below))|\bto end [^.]{0,30}(?:suit|case|probe)\b"
    ),
    "allegation": re.compile(
        r"의혹|폭로|[설說](?=[\s,…'\"”]|$)|\b(?:alleg\w+|accus\w+|rumou?r\w*|said to|reportedly|speculation|"
        r"suggests?|hints?)\b"
    ),
    "reserve": re.compile(r"비축|준비금|\breserves?\b"),
    "outage": re.compile(
        r"올스톱|전면\s*정지|장애|먹통|마비|접속\s*(?:지연|불가|폭주)|서버\s*다운|(?:네트워크|블록\s*생성)\s*(?:중단|멈)|멈[췄춘춰췄]|재가동|정상화|"
        r"\bfreez(?:es|ing) for\b|"
        r"\b(?:stalls?|grinds? to a halt|locked out|unable to log in|offline|outages?|downtime|goes down|"
        r"went down|disrupted|back online|stoppage|halts? (?:block production|for))\b"
    ),
}
# A theft halts withdrawals and ends in court: these forbid nothing where they differ, and count where they are shared.
# A step before the deed is news of its own, and its words are those of the deed.
BEFORE = {
    "test run": {"upgrade", "approval", "launch"},
    "committee": {"full parliament"},
}
STAGES = frozenset(["committee", "lower house", "upper house", "full parliament", "signature"])
PASSING = frozenset(
    [
        *("halt", "purchase", "transfer", "filing", "raise", "lawsuit", "pilot", "launch"),
        *("halving", "bankruptcy", "burn", "depeg", "appointment", "reserve", "liquidation", "unlock"),
        *("extradition", "settlement", "bribe", "allegation"),
        *(
            "scam",
            "partnership",
            "layoffs",
            "earnings",
            "fund flow",
            "issue",
            "rename",
            "fee",
            "buyback",
        ),
        *("kidnap", "survey"),
        *STAGES,
    ]
)
DENIAL = re.compile(
    r"부인(?!과)|사실무근|사실[이은]?\s*(?:전혀\s*)?아[니닙냐님]|오보|(?:한|받은|된|낸|간)\s*(?:적|바)[이도은]?\s*(?:전혀\s*)?없|"
    r"(?:계획|의향|의사|생각|이유|근거|논의|접촉)[은이도]?\s*(?:전혀\s*)?없|"
    r"(?:정해진|확정된|결정된|확인된|논의된|검토된|합의된)\s*(?:것|바|사항|내용|건)|(?:결정|확정|검토|논의|합의)한\s*바|"
    r"안\s*(?:판다|한다|했다|판|떠난다|나간다|물러난다|해[\"”'’])|지\s*않(?:[았는을기고다]|습니다|아)|않는다|선\s*(?:그|긋)|도\s*없었다|아직\s*심사\s*중|"
    r"사실과\s*(?:전혀\s*)?(?:다[르릅른]|달[라랐])|일축|반박|낭설|헛소문|뜬소문|가짜\s*뉴스|허위\s*(?:사실|정보|보도)|터무니없|"
    r"소설[\"”'’]|억측|와전|루머(?:일\s*뿐|에\s*불과)|"
    r"\b(?:(?:has|have|had|is|was|were|did|does|do|are|will|am)(?:\s+not|n[\'’]t)|i[\'’]m not|won[\'’]t|"
    r"den(?:y|ies|ied)(?! by)|"
    rf"(?:dismiss(?:es|ed)?|rejects?|rejected|disputes?|rubbish(?:es|ed)|brush(?:es|ed)? (?:off|aside)|"
    rf"shoots? down|"
    rf"push(?:es|ed)? back (?:on|against)|knocks? down|pours? cold water on|rules? out)\b{SOME_WORDS}?"
    r"(?:reports?|rumou?rs?|claims?|talks?|speculation|story|stories|chatter|allegations?)\b|"
    rf"(?:quash|rebut|scotch|counter|contradict|slam|slap)(?:s|es|ed|ted)?(?: down)?\b{SOME_WORDS}?"
    r"(?:reports?|rumou?rs?|claims?|talks?|speculation|story|stories|chatter|allegations?)\b|"
    rf"insists?\b{SOME_WORDS}?(?:no|not|never|nothing|nobody)\b|"
    r"refut(?:e|es|ed)|rebuff\w*|no (?:plans?|intention|talks|truth|basis|such)|untrue|"
    r"not (?:true|in talks|planning|considering)|"
    r"baseless|groundless|nothing (?:(?:has|is|was|been|yet|being) )*(?:decided|agreed|final|settled|signed|"
    r"planned)|"
    r"not for sale|(?:made |has )?no decision|still under review|unfounded|debunks?|fake news|"
    r"(?:false|inaccurate|fabricated) (?:reports?|rumou?rs?|claims?|story|stories)|never)\b"
)
# Whose headline says only that it is a statement says in its lead what it states.
STATEMENT = re.compile(
    r"입장|해명|답변|유포|풍문|루머|소문|보도|관련|\b(?:statement|response|responds?|regarding|clarif\w+)\b"
)


COLUMN = re.compile(
    r"[\[【(<][^\])】>]{0,8}(?:일정|시세|브리핑|캘린더|특집|기획|포토|카드뉴스|칼럼|전망|인터뷰|기고|사설|오피니언|기자수첩|분석|연재|르포|용어|상식|해설|대담|만평|"
    r"취재|데스크|체크)[^\])】>]{0,4}[\])】>]|(?:관전|체크)\s*포인트|총정리|a\s*to\s*z|알아보기|캘린더|뜯어보니|"
    r"^(?:opinion|column|interview|editorial|explainer|analysis|podcast|q&a|review|profile|explained|comment|"
    r"feature|essay)\b\s*[:|]|\b(?:to (?:watch|expect|know)|week ahead|explained|how to|long read|scorecard|"
    r"round-?up|"
    r"a (?:talk|chat|conversation) with|a (?:beginner[\'’]s )?guide)\b"
)


# What a headline says besides of an earlier event.
ASIDE = re.compile(
    r"\b(?:amid|following|after|despite|in (?:the )?wake of|days (?:in)?to)\b[^,;:]*|^already [^,]*,|"
    r"[가-힣]+\s?(?:여파|의혹|논란|사태)\s?(?:속|에도|와중)[에서]*",
    re.IGNORECASE,
)


def action_facets(title: str, lead: str = "") -> frozenset[str]:
    """The facets named in the headline; those of the lead only where the headline names none, because leads
    also tell the background."""
    return _facets(ASIDE.sub(" ", title)) or _facets(title) or _facets(lead)


def is_denial(title: str, lead: str = "") -> bool:
    """Whether the headline says that something reported did not happen or is not decided; or its lead does, where the
    headline says only that there is a statement."""
    plain = caseless(title)
    return DENIAL.search(f"{plain} {caseless(lead)}" if STATEMENT.search(plain) else plain) is not None


def is_column(title: str) -> bool:
    """Whether the headline says that it is an opinion, an outlook or an interview, which report no event."""
    return COLUMN.search(caseless(title)) is not None


def _facets(text: str) -> frozenset[str]:
    plain = NO_ACTION.sub(" ", POINT.sub(",", caseless(text)))
    found = {name for name, words in FACETS.items() if words.search(plain)}
    return frozenset(found.difference(*(BEFORE[name] for name in found & BEFORE.keys())))
