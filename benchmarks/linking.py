"""How fast texts become mentions: a thousand aliases over made-up documents of 340 characters.

Every tenth word is a name, with a particle, a suffix noun or neither. Half of the names are ambiguous, so the
costly part, weighing a text's evidence, happens in nearly every document.
"""

import random
import time

from knowledge.linking.automaton import AliasSpec, Dictionary
from knowledge.linking.linker import Linker

DOCUMENTS = 1_500
DOCUMENT_CHARACTERS = 340
MADE_UP_UNITS = 1_000
NAMES_PER_WORD = 0.1
ROUNDS = 3

NAMES = (
    "비트코인",
    "이더리움",
    "솔라나",
    "리플",
    "도지",
    "업비트",
    "BTC",
    "ETH",
    "XRP",
    "테더",
    "수이",
    "루나",
    "이더",
)
ENDINGS = ("", "이", "은", "을", "의", "에서", "으로는", "시세", "현물", "재단의")
SENTENCE = """
어제 시장에서는 여러 가지 해석이 나왔고 참가자들이 흐름을 지켜보며 신중하게 움직였으며
발표 이후 변동이 커졌다는 분석과 함께 정부는 새로운 방안을 이번 주 안에 내놓을 예정이라고 밝혔다
"""
WORDS = SENTENCE.split()


def run() -> dict[str, float]:
    """Millions of characters a second of one core: the linker, and the bare automaton beneath it."""
    chance = random.Random(20)
    forms = [AliasSpec(name, name) for name in (*NAMES, *_made_up_names(chance))]
    linker, bare = Linker(forms), Dictionary(forms)
    documents = [_document(chance) for _ in range(DOCUMENTS)]
    text = "\n".join(documents)
    return {
        "linker_mchar_per_s": len(text) / 1e6 / min(_seconds(linker, documents) for _ in range(ROUNDS)),
        "automaton_mchar_per_s": len(text)
        / 1e6
        / min(_bare_seconds(bare, text.lower()) for _ in range(ROUNDS)),
    }


def _seconds(linker: Linker, documents: list[str]) -> float:
    began = time.process_time()
    for document in documents:
        linker.find(document)
    return time.process_time() - began


def _bare_seconds(bare: Dictionary, text: str) -> float:
    began = time.process_time()
    for _hit in bare.find(text):
        pass
    return time.process_time() - began


def _made_up_names(chance: random.Random) -> list[str]:
    syllables = [chr(code) for code in range(ord("가"), ord("힣"), 97)]
    return ["".join(chance.choices(syllables, k=chance.randint(2, 5))) for _ in range(MADE_UP_UNITS)]


def _document(chance: random.Random) -> str:
    words: list[str] = []
    while sum(map(len, words)) + len(words) < DOCUMENT_CHARACTERS:
        if chance.random() < NAMES_PER_WORD:
            words.append(chance.choice(NAMES) + chance.choice(ENDINGS))
        else:
            words.append(chance.choice(WORDS))
    return " ".join(words)
