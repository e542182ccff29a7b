"""The df budget: which words lead to passages, alone or together."""

from hypothesis import given
from hypothesis import strategies as st

from knowledge.search.candidate_query import any_of, candidate_query
from knowledge.search.lexemes import quoted_lexeme


def test_the_rarest_words_lead_alone_while_they_fit() -> None:
    query = candidate_query({"반감기": 40, "채굴": 500, "비트코인": 90_000}, 200_000, 3_000)
    assert query == "'반감기' | '채굴'"


def test_common_words_lead_only_together() -> None:
    query = candidate_query({"지갑": 300, "채굴": 5_000, "수수료": 9_000}, 200_000, 3_000)
    assert query == "'지갑' | ('수수료' & '채굴')"


def test_words_that_stand_nearly_everywhere_lead_nowhere() -> None:
    assert candidate_query({"비트코인": 90_000}, 200_000, 3_000) == ""
    assert candidate_query({"비트코인": 90_000, "가격": 80_000}, 200_000, 3_000) == ""


def test_a_larger_budget_lets_more_words_in() -> None:
    frequencies = {"수수료": 9_000, "지갑": 4_000}
    assert candidate_query(frequencies, 200_000, 20_000) == any_of(["지갑", "수수료"])


def test_three_common_words_may_lead_where_two_bring_too_much() -> None:
    frequencies = {"가격": 30_000, "시장": 31_000, "거래": 32_000}
    assert candidate_query(frequencies, 200_000, 8_000) == "('가격' & '거래' & '시장')"
    assert candidate_query(frequencies, 200_000, 3_000) == ""


@given(
    st.dictionaries(st.text(min_size=1, max_size=8), st.integers(1, 200_000), max_size=24),
    st.sampled_from([3_000, 20_000]),
)
def test_single_words_never_exceed_the_budget(frequencies: dict[str, int], budget: int) -> None:
    query = candidate_query(frequencies, 200_000, budget)
    alone = {lexeme for lexeme in frequencies if quoted_lexeme(lexeme) in query.split(" | ")}
    assert sum(frequencies[lexeme] for lexeme in alone) <= budget
    left_out = [frequencies[lexeme] for lexeme in frequencies if lexeme not in alone]
    assert not left_out or not alone or min(left_out) >= max(frequencies[lexeme] for lexeme in alone)
