"""The sentences of a reflection that no model wrote: five slots, four variants each or more.

``[이/가]`` marks take the particle that fits the word before them (see ``archive.particles``). Every sentence ends in
``다.`` and names only what its slot's facts hold. The variants of a slot share as few words as they can, so that a
week of the same weather does not read like one day copied seven times.
"""

Variants = tuple[str, ...]

WEATHER: dict[str, Variants] = {
    "clear": (
        "{date} 도시의 하늘은 구석구석 맑았고, 온도는 {temperature}에 머물렀다.",
        "맑은 저녁이 {date}의 지붕들 위로 내려앉았고, 수은주는 {temperature}를 가리켰다.",
        "{date}에는 아침부터 밤까지 맑은 하늘이 이어졌으며 공기는 {temperature}였다.",
        "{temperature}의 공기 속에서 {date}의 해가 졌고, 별이 보일 만큼 맑았다.",
    ),
    "cloudy": (
        "{date} 도시 위로 구름이 넓게 깔렸고, 온도는 {temperature}였다.",
        "흐린 하늘 아래 {date} 하루가 지나갔고, 수은주는 {temperature}에서 멈췄다.",
        "구름 사이로 빛이 드문드문 새어 나온 {date}, 공기는 {temperature}로 적혔다.",
        "{temperature}의 저녁이 올 때까지 {date}의 하늘은 내내 흐렸다.",
    ),
    "rain": (
        "{date}에는 빗줄기가 골목을 적셨고, 온도는 {temperature}였다.",
        "저녁까지 빗소리가 그치지 않은 {date}, 수은주는 {temperature} 언저리를 오갔다.",
        "{date}의 거리를 우산이 채웠으며 젖은 공기는 {temperature}로 적혔다.",
        "{temperature}의 공기를 가르며 내린 빗방울이 {date}의 창을 오래 두드렸다.",
    ),
    "storm": (
        "{date} 도시에는 폭풍이 몰아쳤고, 초속 {wind}미터의 바람이 깃발을 흔들었다.",
        "폭풍이 지나간 {date}의 거리는 어수선했으며 바람은 초속 {wind}미터로 적혔다.",
        "창문마다 빗장을 건 {date}, 폭풍은 초속 {wind}미터로 지붕 위를 달렸다.",
        "초속 {wind}미터의 폭풍 소리가 {date}의 저녁을 통째로 차지했다.",
    ),
    "fog": (
        "{date} 도시는 짙은 안개에 잠겼고, 온도는 {temperature}였다.",
        "안개가 걷히지 않은 {date}, 수은주만이 {temperature}를 또렷이 가리켰다.",
        "한 발 앞이 흐릿한 안개 속에서 {date} 하루가 저물었으며 공기는 {temperature}였다.",
        "{temperature}의 눅눅한 공기와 함께 안개가 {date}의 길목마다 고여 있었다.",
    ),
    "rainbow": (
        "비가 그친 {date} 하늘에 무지개가 걸렸고, 온도는 {temperature}였다.",
        "{date} 저녁, 젖은 지붕 너머로 무지개가 떴으며 수은주는 {temperature}를 가리켰다.",
        "지난 궂은 날씨를 씻어 내듯 무지개가 뜬 {date}, 공기는 {temperature}로 적혔다.",
        "{temperature}의 공기 속에서 사람들은 {date}의 무지개를 올려다보았다.",
    ),
}

MOOD: dict[str, Variants] = {
    "gloomy": (
        "사람들의 얼굴은 무거웠고 기분 지수는 {mood}[으로/로] 깊이 내려앉았다.",
        "광장의 말수가 줄었고 하루의 기분 지수는 {mood}[을/를] 기록했다.",
        "누구도 크게 웃지 않았고, 하루의 기분은 {mood}[이라는/라는] 숫자로 적혔다.",
        "가라앉은 목소리가 길게 이어져 기분 지수 {mood}[이/가] 기록에 남았다.",
    ),
    "low": (
        "거리의 말씨는 조금 가라앉아 기분 지수가 {mood}[을/를] 나타냈다.",
        "부정적인 반응이 더 많았고, 기분 지수는 {mood}에 머물렀다.",
        "사람들의 표정에는 그늘이 있었으며 하루의 기분은 {mood}[이었다/였다].",
        "아쉬운 소리가 섞여 들려와 기분 지수는 {mood}[으로/로] 적혔다.",
    ),
    "calm": (
        "사람들의 마음은 잔잔해서 기분 지수는 {mood}에 놓였다.",
        "들뜨지도 처지지도 않은 하루였으며 기분 지수는 {mood}[을/를] 기록했다.",
        "오가는 말들은 담담했고, 하루의 기분은 {mood}[이라는/라는] 숫자로 남았다.",
        "좋은 말과 싫은 말이 엇비슷하게 오가 기분 지수 {mood}[이/가] 적혔다.",
    ),
    "bright": (
        "사람들의 표정은 밝았고 기분 지수는 {mood}까지 닿았다.",
        "반가운 인사가 자주 들렸고 기분 지수는 {mood}[을/를] 기록했다.",
        "밝은 말들이 담장을 넘나든 하루였고, 그 기분은 {mood}[으로/로] 적혔다.",
        "웃는 소리가 모퉁이마다 새어 나와 기분 지수 {mood}[이/가] 남았다.",
    ),
    "elated": (
        "사람들은 한껏 들떠 있었고 기분 지수는 {mood}까지 차올랐다.",
        "늦게까지 활기가 이어져 기분 지수가 {mood}[을/를] 기록했다.",
        "모두가 들뜬 얼굴로 길을 걸은 하루였고, 그 기분은 {mood}[으로/로] 적혔다.",
        "환호가 골목까지 번져 기분 지수 {mood}[이/가] 기록에 남았다.",
    ),
    "unknown": (
        "사람들의 기분을 알려 줄 소식은 한 줄도 닿지 않았다.",
        "반응을 전해 온 곳이 없어 기분 지수는 비워 두었다.",
        "거리의 표정을 전해 줄 목소리가 없어 기분은 적지 못했다.",
        "광장에서 건너온 말이 없으니 하루의 기분은 짐작으로 채우지 않는다.",
    ),
}

# Keyed by what stood out among the districts.
DISTRICTS: dict[str, Variants] = {
    "festival": (
        "{festival}[은/는] 축제처럼 활기 {festival_activity}[을/를] 찍으며 밤을 밝혔다.",
        "여섯 구역 가운데 {festival}[이/가] 활기 {festival_activity}[으로/로] 축제의 중심이 되었다.",
        "등불을 가장 많이 내건 {festival}에서 축제가 벌어졌고 그 활기는 {festival_activity}[이었다/였다].",
        "이날 축제는 {festival}에서 열렸으며, 활기는 {festival_activity}[을/를] 기록했다.",
    ),
    "all_dark": (
        "여섯 구역 모두 불이 꺼진 채로 밤을 맞았다.",
        "거래 항구에서 발전소까지 여섯 구역의 창이 전부 캄캄했다.",
        "가로등 하나 켜지지 않아 여섯 구역이 함께 어둠에 들었다.",
        "불 켜진 창을 찾아 여섯 구역을 돌았으나 모두 캄캄할 뿐이었다.",
    ),
    "some_dark": (
        "{dark}[은/는] 불이 꺼져 있었고, {busiest}[이/가] 활기 {busiest_activity}[으로/로] 남은 빛을 지켰다.",
        "소식이 끊긴 {dark}[은/는] 캄캄했지만 {busiest}의 활기는 {busiest_activity}[을/를] 기록했다.",
        "{busiest}[이/가] 활기 {busiest_activity}[으로/로] 앞장선 동안 {dark}에는 불이 꺼져 있었다.",
        "{busiest}의 활기가 {busiest_activity}[으로/로] 가장 높았고, {dark}[은/는] 캄캄했다.",
    ),
    "quiet": (
        "{quiet}[은/는] 한산했고, {busiest}[이/가] 활기 {busiest_activity}[으로/로] 하루를 이끌었다.",
        "발길이 뜸해 {quiet}[은/는] 조용했으며 {busiest}의 활기는 {busiest_activity}에 닿았다.",
        "{busiest}에 활기 {busiest_activity}[이/가] 모이는 사이, {quiet}[은/는] 한산한 채로 저물었다.",
        "걸음을 옮기면 {quiet}[은/는] 조용했고, 건너편 {busiest}의 활기는 {busiest_activity}[으로/로] 재어졌다.",
    ),
    "open": (
        "여섯 구역이 모두 문을 열었고 {busiest}[이/가] 활기 {busiest_activity}[으로/로] 가장 앞섰다.",
        "{busiest}[은/는] 활기 {busiest_activity}[으로/로] 사람들을 불러 모았다.",
        "가장 많은 발자국은 {busiest}에 찍혔고, 그 활기는 {busiest_activity}[이었다/였다].",
        "골목의 소리를 따라가면 {busiest}에 이르렀으며 그곳의 활기는 {busiest_activity}[으로/로] 적혔다.",
    ),
}

# Keyed by which way the economy went since yesterday.
ECONOMY: dict[str, Variants] = {
    "up": (
        "경제 지수는 어제보다 {economy_change} 오른 {economy}[이었다/였다].",
        "장부를 덮을 때 경제 지수 {economy}[이/가] 보였는데 하루 전보다 {economy_change}만큼 높았다.",
        "하루를 마감한 경제 지수는 {economy}[으로/로], 상승 폭은 {economy_change}[이었다/였다].",
        "거래가 늘면서 경제 지수가 {economy_change} 올라 {economy}[이/가] 되었다.",
    ),
    "down": (
        "경제 지수는 어제보다 {economy_change} 내린 {economy}[이었다/였다].",
        "장부를 덮을 때 경제 지수 {economy}[이/가] 보였는데 하루 전보다 {economy_change}만큼 낮았다.",
        "하루를 마감한 경제 지수는 {economy}[으로/로], 하락 폭은 {economy_change}[이었다/였다].",
        "거래가 줄면서 경제 지수가 {economy_change} 내려 {economy}[이/가] 되었다.",
    ),
    "same": (
        "경제 지수는 {economy}[으로/로] 어제와 나란했다.",
        "장부의 마지막 줄에 적힌 경제 지수 {economy}[은/는] 하루 전과 같은 숫자였다.",
        "상인들이 거래를 마친 뒤 확인한 경제 지수는 {economy}[이었고/였고] 오르내림이 없었다.",
        "시장은 전날과 같은 흐름을 보여 경제 지수 {economy}[을/를] 지켰다.",
    ),
    "first": (
        "경제 지수는 {economy}[으로/로] 적혔다.",
        "장부를 덮을 때 보인 경제 지수는 {economy}[이었다/였다].",
        "상인들이 거래를 마친 뒤 확인한 경제 지수는 {economy}[이었다/였다].",
        "하루 거래를 마감한 결과 경제 지수는 {economy}[으로/로] 집계됐다.",
    ),
    "unknown": (
        "거래 기록을 보낸 곳이 없어 경제 지수는 비워 두었다.",
        "장부는 펼쳐진 채로 남았고 경제 지수 자리에는 아무것도 쓰지 않았다.",
        "상인들의 거래 기록이 도착하지 않아 경제 지수는 계산하지 않았다.",
        "거래 자료가 들어오지 않아 경제 지수를 계산하지 못했다.",
    ),
}

CLOSING: dict[str, Variants] = {
    "complete": (
        "여섯 신호가 모두 닿았고, 깨어 있던 {awake}명의 하루가 빠짐없이 이 기록에 담겼다.",
        "여섯 구역이 모두 자료를 보내왔고, 깨어 있던 사람은 {awake}명으로 집계됐다.",
        "자정까지 깨어 있던 사람은 {awake}명이었고, 신호는 빠짐없이 도착했다.",
        "이날 깨어 있던 사람은 {awake}명이었고, 들어오지 않은 신호는 없었다.",
    ),
    "partial": (
        "제때 닿은 신호는 {heard}곳의 것이어서, 깨어 있던 {awake}명의 하루만 여기에 담는다.",
        "{awake}명이 깨어 지낸 시간을 전해 온 구역은 {heard}곳이었고, 나머지 칸은 비워 두었다.",
        "자정까지 신호를 보내온 구역은 {heard}곳, 깨어 있던 사람은 {awake}명이었다.",
        "이날 깨어 있던 사람은 {awake}명이었고, 신호를 보낸 구역은 {heard}곳이었다.",
    ),
    "no_signal": (
        "끝내 어느 구역에서도 신호가 오지 않아, 들은 것이 없다는 사실만 이 기록에 담는다.",
        "오늘의 소식을 전해 온 구역이 하나도 없었으므로, 지어내지 않고 빈 장을 그대로 묶어 둔다.",
        "자정까지 신호가 하나도 오지 않아, 이날은 신호가 없었다고 적는다.",
        "자정까지 기다렸으나 새 신호는 오지 않았고, 이날의 일은 알 수 없다고 남긴다.",
    ),
}
