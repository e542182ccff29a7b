"""What a model says of sentences that it cites rightly: what they say, in other words, and what they do not.

``python -m tests.ask.model.cited_bodies`` prints how many of each are shown. The units are those of
``tests.ask.model.evidence``; the sentences are invented.
"""

import os
from typing import NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if __name__ == "__main__":
    django.setup()

from ask.drafts import Draft
from ask.evidence import Evidence
from ask.language import language_of
from ask.model_citations import UnusableAnswerError, draft
from ask.prompts import Prompt, SearchResultBlock
from ask.questions import QuestionKind
from tests.ask.model.evidence import cited_from, evidence, named, paid
from tests.fakes.messages_api import said

CAP = "마루코인의 발행 상한은 3억 6,000만 개이고, 2024년 1월 10일까지 약 58%가 발행되었다."
CAP_EN = (
    "Marucoin has a cap of 360 million coins, of which about 58 percent had been issued by 10 January 2024."
)
HACK = "다온거래소는 2019년 11월 27일 오후 1시 6분 이더 34만 2,000개, 약 580억 원어치를 도난당했다."
HACK_EN = (
    "Daon Exchange lost 342,000 ether, about 58 billion won, to thieves at 1:06 p.m. on 27 November 2019."
)
TAX = "가상자산 소득세는 2027년 1월부터 연 250만 원을 넘는 소득에 22%의 세율로 매긴다."
TAX_EN = "From January 2027 crypto income above 2.5 million won a year is taxed at 22 percent."
HALVING = "반감기는 2012년, 2016년, 2020년, 2024년에 있었고 네 번째 뒤 블록 보상은 3.125개이다."
HALVING_EN = (
    "Halvings came in 2012, 2016, 2020 and 2024, and after the fourth the block reward is 3.125 coins."
)
FOUNDER = "다온거래소는 김소라가 세 사람과 함께 2017년 10월에 세웠고, 본사는 서울에 있다."
FOUNDER_EN = "Daon Exchange was founded in October 2017 by Sora Kim with three others and is based in Seoul."
FINE = "금융당국은 다온거래소에 2025년 2월 25일 3개월 일부 영업정지와 과태료 352억 원을 부과했다."
FINE_EN = "On 25 February 2025 Daon Exchange was suspended in part for 3 months and fined 35.2 billion won."
PRICE = "마루코인 시세: 1,391.5원 (2026-11-22 12:00 KST 기준, 다온거래소), 24시간 −3.1%."
PRICE_EN = "Marucoin price: 1,391.5 won (as of 2026-11-22 12:00 KST, Daon Exchange), 24 hours −3.1%."
ETF = "미국은 2024년 1월 10일 현물 ETF 11종을 승인했고 첫날 거래대금은 46억 달러였다."
ETF_EN = (
    "The United States approved 11 spot ETFs on 10 January 2024, which traded $4.6 billion on the first day."
)


class Case(NamedTuple):
    cited: str
    says: str
    question: str = ""


RIGHT = (
    # Numbers, converted and written otherwise
    Case(CAP, "마루코인은 최대 3억 6천만 개까지 발행된다."),
    Case(CAP, "마루코인의 상한은 360,000,000개다."),
    Case(CAP, "상한은 3.6억 개이며 그중 58퍼센트쯤이 나왔다."),
    Case(CAP, "Marucoin is capped at 360 million coins."),
    Case(CAP_EN, "마루코인은 3억 6000만 개가 상한이다."),
    Case(CAP_EN, "The supply is limited to 360,000,000, and roughly 58% existed on January 10, 2024."),
    Case(CAP_EN, "2024년 1월 10일까지 58%가 나왔다."),
    Case(HACK, "도난당한 이더는 34만2천 개다."),
    Case(HACK, "당시 가치로 580억원쯤 되는 이더를 잃었다."),
    Case(HACK, "Daon Exchange lost 342,000 ether worth about 58 billion won."),
    Case(HACK, "The theft happened on November 27, 2019 at 1:06 p.m."),
    Case(HACK_EN, "다온거래소는 2019년 11월 27일 이더 34만 2000개를 도난당했다."),
    Case(HACK_EN, "피해액은 약 580억 원이었다."),
    Case(HACK_EN, "In November 2019 thieves took 342,000 ether from the exchange."),
    Case(TAX, "세율은 22%다."),
    Case(TAX, "연 250만원까지는 세금이 없고, 2027년부터 매긴다."),
    Case(TAX, "The tax starts in January 2027, and the rate is 22 percent above 2.5 million won."),
    Case(TAX_EN, "2027년 1월부터 250만 원 넘는 소득에 22%를 낸다."),
    Case(TAX_EN, "Income over ₩2,500,000 a year is taxed at 22%."),
    # Dates
    Case(HALVING, "반감기는 지금까지 네 번, 2012·2016·2020·2024년에 있었다."),
    Case(HALVING, "The fourth halving was in 2024; the reward is 3.125 coins now."),
    Case(HALVING_EN, "네 번째 반감기는 2024년이었고 보상은 3.125개로 줄었다."),
    Case(HALVING_EN, "The years were 2012, 2016, 2020 and 2024."),
    Case(ETF, "승인일은 2024-01-10이다."),
    Case(ETF, "미국에서 1월 10일 11종이 승인되었다."),
    Case(ETF, "The US approved 11 ETFs on January 10, 2024, with 4.6 billion dollars traded on day one."),
    Case(ETF_EN, "미국은 2024년 1월 10일 11개를 승인했고, 첫날 46억 달러어치가 거래되었다."),
    Case(ETF_EN, "America approved eleven spot ETFs in January 2024, and $4.6bn was traded."),
    Case(FINE, "2025년 2월 3개월 일부 영업정지를 받았다."),
    Case(FINE, "Daon Exchange was fined 35.2 billion won and suspended in part for three months."),
    Case(FINE_EN, "과태료는 352억 원이고 영업정지는 세 달이다."),
    Case(FINE_EN, "On Feb. 25, 2025 the exchange was fined 35.2bn won."),
    Case(PRICE, "2026년 11월 22일 낮 12시 기준 1,391.5원이다."),
    Case(PRICE, "24시간 동안 3.1% 내렸다."),
    Case(PRICE, "Marucoin stood at 1,391.5 won at 12:00 KST on November 22, 2026, down 3.1% in 24 hours."),
    Case(PRICE_EN, "마루코인은 1391.5원으로, 24시간 새 3.1퍼센트 내렸다."),
    # Names
    Case(FOUNDER, "다온거래소를 세운 사람은 김소라다."),
    Case(FOUNDER, "Sora Kim founded Daon Exchange with three others in October 2017."),
    Case(FOUNDER_EN, "김소라는 세 명과 함께 2017년 10월 다온거래소를 세웠다."),
    Case(FOUNDER_EN, "The company is based in Seoul and was founded in 2017."),
    Case(FOUNDER, "Its head office is in Seoul."),
    Case(FOUNDER_EN, "본사는 서울에 있다."),
    Case(HACK, "하늘코인은 아니고, 도난당한 것은 이더 34만 2,000개다.", "하늘코인이 도난당했나?"),
    Case("상한은 3억 6,000만 개이다.", "마루코인의 상한은 3억 6,000만 개다.", "마루코인 상한은?"),
    Case(
        "It opened in October 2017.", "Daon Exchange opened in October 2017.", "When did Daon Exchange open?"
    ),
    # Numbers in words, ranges and parts
    Case("이용자 삼백만 명이 1조 원을 맡겼다.", "이용자 300만 명이 1조원을 맡겼다."),
    Case("It has a dozen offices and half a million users.", "사무실 12곳에 이용자 50만 명이 있다."),
    Case("세율은 20~25%이다.", "세율은 20%에서 25%까지다."),
    Case("Between 3 and 5 million coins were burned.", "300만~500만 개가 소각되었다."),
    Case("2024년 11월 5~6일 열렸다.", "It took place on November 5 and 6, 2024."),
    Case("한 번에 1만 달러까지 보낼 수 있다.", "Up to $10,000 can be sent at once."),
    Case("수수료는 0.25%p 올랐다.", "The fee rose by 25 basis points."),
    Case("제3자가 맡는다.", "A third party keeps it."),
    Case("비율은 4분의 1이다.", "The share is one quarter of the total."),
    Case("The service runs 24 hours a day.", "서비스는 하루 24시간 운영된다."),
    Case("1월부터 6월까지 7조 3,201억 원이 오갔다.", "From January to June 7.3201 trillion won was traded."),
    Case("S&P 500에 편입되었다.", "It joined the S&P 500."),
    Case("국내 거래소 5곳이 원화를 다룬다.", "Five South Korean exchanges deal in won."),
    Case("A block comes every 12 seconds.", "블록은 12초마다 만들어진다."),
    Case("2012, 2016년과 2020년에 줄었다.", "It was cut in 2012, 2016 and 2020."),
    Case("수량은 반으로 줄었다.", "The amount was halved."),
    Case("상위 10개 중 7개가 올랐다.", "Seven of the top ten rose."),
    # Nothing to check
    Case(TAX, "소득에 세금을 매긴다."),
    Case(CAP_EN, "Its supply is capped."),
)
WRONG = (
    # Another number
    Case(CAP, "마루코인의 상한은 3억 7,000만 개다."),
    Case(CAP, "상한은 36억 개다."),
    Case(CAP, "상한은 3,600만 개다."),
    Case(CAP, "Marucoin is capped at 36 million coins."),
    Case(CAP_EN, "마루코인은 58억 개가 상한이다."),
    Case(CAP_EN, "About 85 percent had been issued."),
    Case(CAP, "상한은 3억 6,000만 달러다."),
    Case(HACK, "도난 금액은 약 5,800억 원이다."),
    Case(HACK, "도난 금액은 약 580억 달러다."),
    Case(HACK, "The exchange lost 58 million won."),
    Case(HACK_EN, "피해액은 58억 원이었다."),
    Case(HACK, "이용자 27%가 피해를 보았다."),
    Case(TAX, "세율은 20%다."),
    Case(TAX, "연 2,500만 원까지는 세금이 없다."),
    Case(TAX_EN, "The rate is 2.2 percent."),
    Case(HALVING, "보상은 77.7개다."),
    Case(HALVING, "다섯 번째 뒤 보상은 3.125개다."),
    Case(HALVING_EN, "After the fifth halving the reward is 3.125 coins."),
    Case(HALVING, "보상은 두 배가 된다."),
    Case(HALVING_EN, "The reward doubles."),
    Case(PRICE, "마루코인은 1,931.5원이다."),
    Case(PRICE, "24시간 동안 31% 내렸다."),
    Case(ETF, "첫날 4억 6천만 달러가 거래되었다."),
    Case(ETF_EN, "The United States approved twelve spot ETFs."),
    Case(FOUNDER, "김소라는 다섯 명과 함께 세웠다."),
    Case(CAP, "상한은 삼백만 개다."),
    Case(CAP_EN, "The cap is three million coins."),
    Case(CAP, "상한은 3천6백만 개다."),
    Case(TAX, "세율은 이십 퍼센트다."),
    Case(HACK, "피해액은 오천억 원이다."),
    Case(PRICE, "24시간 새 값이 절반이 되었다."),
    Case(ETF, "첫날 거래대금은 46조 달러였다."),
    Case(ETF_EN, "The United States approved a dozen spot ETFs."),
    # Another date or time
    Case(CAP, "2024년 1월 11일까지의 수치다."),
    Case(CAP_EN, "58% had been issued by January 10, 2023."),
    Case(HALVING, "반감기는 2011년에 있었다."),
    Case(HALVING_EN, "The next halving comes in 2028."),
    Case(HACK, "도난은 2019년 12월 27일에 일어났다."),
    Case(HACK, "도난은 오전 1시 6분에 일어났다."),
    Case(HACK_EN, "It happened on 11 November 2019."),
    Case(TAX, "2026년부터 매긴다."),
    Case(TAX_EN, "The tax starts in July 2027."),
    Case(FINE, "2025-03-25에 과태료를 받았다."),
    Case(PRICE, "2026년 11월 22일 15:00 기준이다."),
    Case(ETF, "승인일은 1월 20일이다."),
    # Telephone numbers, addresses and other codes
    Case(FOUNDER, "문의 전화는 02-1234-5678이다."),
    Case(FOUNDER, "대표 번호는 1588-1234이다."),
    Case(FOUNDER_EN, "Call +82 2 1234 5678 for help."),
    Case(CAP, "받는 주소는 0x52908400098527886E0F7030069857D2E4169EE7이다."),
    Case(CAP, "주소는 0x5290…9EE7이다."),
    Case(CAP_EN, "Send coins to bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh now."),
    Case(CAP, "소스는 1.2.3판이다."),
    Case(FOUNDER, "홈페이지는 https://daon.example/login 이다."),
    Case(CAP, "주소는 TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE 이다."),
    Case(CAP, "문의는 010 1234 5678로 한다."),
    Case(FOUNDER, "대표 메일은 help@daon.example 이다."),
    # Another name
    Case(CAP, "마루코인은 NASDAQ에 상장됐다."),
    Case(TAX_EN, "The IRS collects 22 percent."),
    Case(ETF_EN, "On the first day MegaFund traded $4.6 billion."),
    Case(FOUNDER, "다온거래소는 Zentry와 합병했다."),
    Case(CAP, "하늘코인의 발행 상한은 3억 6,000만 개다."),
    Case(CAP_EN, "Haneulcoin has a cap of 360 million coins."),
    Case(CAP, "김소라가 상한을 정했다."),
    Case(TAX, "다온거래소는 22%를 낸다."),
    Case(TAX_EN, "Daon Exchange pays 22 percent."),
    Case(FOUNDER_EN, "It was founded by John Smith in October 2017."),
    Case(FOUNDER_EN, "The exchange belongs to Zyntex Holdings."),
    Case(FOUNDER, "이 회사는 Zyntex 계열이다."),
    Case(FOUNDER, "본사는 부산에 있다."),
    Case(FOUNDER_EN, "It is based in Tokyo."),
    Case(ETF, "일본은 2024년 1월 10일 11종을 승인했다."),
    Case(ETF_EN, "Japan approved 11 spot ETFs."),
    Case(HACK, "도난당한 것은 XYZ 34만 2,000개다."),
    # A number of the question is no support
    Case(TAX, "세율은 30%다.", "코인 세율이 30%인가?"),
    Case(CAP, "2019년에 나왔다.", "마루코인은 2019년에 나왔나?"),
)


def evidence_of(case: Case) -> Evidence:
    return evidence(0, case.cited, title="기록", lang=language_of(case.cited))


def shown(case: Case) -> Draft | None:
    """The answer that comes of one cited block; None where it is refused."""
    lang = language_of(case.says)
    source = SearchResultBlock(evidence_of(case), (case.cited,))
    block = said(case.says, cited_from(source))
    try:
        return draft(paid(block), Prompt(case.question or "?", lang, QuestionKind.WHICH, (source,)), named)
    except UnusableAnswerError:
        return None


def main() -> None:
    for name, cases in (("right", RIGHT), ("wrong", WRONG)):
        answers = [(case, shown(case)) for case in cases]
        print(f"{name}: {len(cases)} bodies, {sum(answer is not None for _case, answer in answers)} shown")
        for case, answer in answers:
            if (answer is None) == (name == "right"):
                print("   ", case.says, "|", case.cited)


if __name__ == "__main__":
    main()
