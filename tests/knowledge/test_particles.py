"""Particles by the last sound of a word."""

import pytest

from knowledge.particles import direction_particle, subject_particle, topic_particle


@pytest.mark.parametrize(
    ("word", "particle"),
    [
        ("비트코인", "이"),
        ("이더리움", "이"),
        ("테더", "가"),
        ("리플", "이"),
        ("BTC", "가"),
        ("SOL", "이"),
        ("ATOM", "이"),
        ("Aave", "가"),
        ("이더리움2", "가"),
        ("0", "이"),
        ("게임(GAME)", "가"),
        ("", "가"),
    ],
)
def test_the_particle_follows_the_last_sound(word: str, particle: str) -> None:
    assert subject_particle(word) == particle


@pytest.mark.parametrize(
    ("word", "topic", "direction"),
    [
        ("비트코인", "은", "으로"),
        ("업비트", "는", "로"),
        ("서울", "은", "로"),
        ("bitcion", "은", "으로"),
        ("Solana", "는", "로"),
        ("SOL", "은", "로"),
        ("레이어1", "은", "로"),
        ("레이어2", "는", "로"),
        ("레이어3", "은", "으로"),
    ],
)
def test_topic_and_direction_follow_the_last_sound_too(word: str, topic: str, direction: str) -> None:
    assert (topic_particle(word), direction_particle(word)) == (topic, direction)
