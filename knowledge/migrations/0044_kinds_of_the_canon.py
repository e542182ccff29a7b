"""The units of the starter canon get their category and country, edited or not, once: later both are the editors'."""

import re

from django.db import migrations

# The category, the country or -, and the public ids. Frozen here: the canon's files may say another thing tomorrow.
KINDS = """
exchange KR: entity:upbit entity:bithumb entity:coinone entity:korbit entity:gopax
fintech KR: entity:dunamu entity:naver-financial entity:kakaopay entity:toss
exchange -: entity:binance entity:okx entity:bitget entity:bitfinex entity:gate entity:kucoin
exchange US: entity:coinbase entity:kraken
exchange AE: entity:bybit
fintech US: entity:robinhood entity:celsius
issuer -: entity:tether-limited
issuer US: entity:circle entity:paxos
developer US: entity:ripple-labs entity:consensys entity:hayden-adams
treasury US: entity:strategy entity:bitmine
fund US: entity:blackrock entity:grayscale entity:fidelity entity:galaxy-digital entity:a16z-crypto
company KR: entity:naver entity:kakao entity:wemade
bank KR: entity:kakaobank entity:kbank entity:kb-kookmin-bank entity:shinhan-bank entity:hana-bank entity:nh-bank
custodian KR: entity:bdacs entity:koda
stock_exchange KR: entity:korea-exchange
foundation -: entity:kaia-foundation
fund KR: entity:hashed
developer KR: entity:ground-x
exchange BS: entity:ftx
fund -: entity:alameda-research entity:three-arrows
developer SG: entity:terraform-labs
exchange JP: entity:mt-gox
treasury JP: entity:metaplanet
custodian US: entity:bitgo
wallet FR: entity:ledger
company HK: entity:animoca-brands
media KR: entity:blockmedia entity:tokenpost entity:coinness
media US: entity:coindesk
data KR: entity:cryptoquant
data CH: entity:glassnode
data US: entity:chainalysis
company US: entity:nvidia
regulator KR: entity:fsc entity:fss entity:fiu
association KR: entity:daxa
central_bank KR: entity:bok
government KR: entity:mofe entity:nts entity:kisa entity:national-assembly entity:constitutional-court
central_bank US: entity:fed
regulator US: entity:sec entity:cftc
government US: entity:us-treasury entity:doj
regulator GB: entity:fca
central_bank -: entity:ecb
central_bank JP: entity:boj
central_bank SG: entity:mas
international -: entity:imf entity:bis entity:fatf
hacker KP: entity:lazarus
foundation CH: entity:ethereum-foundation
founder -: entity:satoshi-nakamoto entity:justin-sun
founder CA: entity:vitalik-buterin entity:changpeng-zhao
founder KR: entity:song-chi-hyung entity:cha-myung-hun entity:ki-young-ju entity:lee-hae-jin entity:do-kwon
executive KR: entity:oh-kyung-suk entity:lee-jae-won
investor KR: entity:simon-kim
founder US: entity:sam-bankman-fried entity:brian-armstrong entity:michael-saylor entity:charles-hoskinson
  entity:elon-musk entity:larry-fink entity:ray-dalio entity:arthur-hayes
executive US: entity:brad-garlinghouse
executive IT: entity:paolo-ardoino
official US: entity:donald-trump entity:jerome-powell entity:gary-gensler entity:paul-atkins
official KR: entity:lee-chan-jin
investor US: entity:tom-lee
chain -: asset:g asset:btc asset:eth asset:bnb asset:xrp asset:sol asset:trx asset:zec asset:ada asset:xmr asset:xlm
  asset:bch asset:cc asset:ltc asset:hbar asset:sui asset:avax asset:cro asset:near asset:dot asset:ksm asset:icp
  asset:etc asset:algo asset:atom asset:apt asset:inj asset:vet asset:vtho asset:tia asset:bsv asset:btg asset:mon
  asset:sei asset:lunc asset:luna asset:xtz asset:xpl asset:kaia asset:gas asset:xec asset:a asset:s asset:one
  asset:ctc asset:elf asset:hive asset:steem asset:iost asset:kava asset:ont asset:ong asset:qkc
  asset:qtum asset:waves asset:zil asset:bera asset:ckb asset:flow asset:mina asset:move asset:polyx asset:rvn
  asset:zeta asset:iotx asset:ton asset:xem asset:ip asset:core asset:plume asset:mantra asset:ardr asset:dgb
  asset:grs asset:flr
stablecoin -: asset:usdt asset:usdc asset:usds asset:dai asset:usde asset:usd1 asset:usdg asset:pyusd asset:rlusd
  asset:eurc asset:ustc
defi -: asset:hype asset:uni asset:aave asset:wlfi asset:pump asset:ondo asset:sky asset:mkr asset:ena asset:morpho
  asset:jst asset:jup asset:ethfi asset:cake asset:crv asset:aero asset:sun asset:jto asset:ldo asset:pendle
  asset:ray asset:comp asset:snx asset:1inch asset:knc asset:zrx asset:layer asset:dydx asset:gmx asset:yfi
  asset:sushi asset:rpl asset:bal asset:cow
memecoin -: asset:doge asset:shib asset:pepe asset:trump asset:pengu asset:spx asset:bonk asset:floki asset:wif
  asset:mew asset:goat asset:moodeng
infrastructure -: asset:link asset:tao asset:render asset:fil asset:pyth asset:zro asset:btt asset:ens
  asset:theta asset:tfuel asset:eigen asset:grt asset:akt asset:ar asset:glm asset:ankr asset:sc asset:ath asset:id
  asset:lpt asset:safe asset:storj asset:t asset:w asset:arkm asset:api3 asset:io asset:wal asset:axl asset:ctsi
backed_token -: asset:xaut
layer2 -: asset:lsk asset:mnt asset:pol asset:arb asset:stx asset:op asset:strk asset:celo asset:blast asset:imx asset:sonic
  asset:taiko asset:lrc asset:zk asset:linea
service -: asset:wld asset:vvv asset:virtual asset:bat asset:cvc asset:iq asset:mask asset:mvl asset:pundix
  asset:snt asset:moca asset:vana asset:zora asset:kaito asset:nmr asset:sahara asset:cyber
service GB: asset:fet
exchange_token -: asset:ftt
chain CN: asset:cfx asset:neo
chain DE: asset:iota
gaming -: asset:axs asset:chz asset:mana asset:sand asset:ape asset:waxp asset:agld asset:anime asset:blur asset:gmt
  asset:me asset:ygg asset:nxpc asset:gala asset:ron
gaming KR: asset:bora asset:moc asset:wemix asset:xpla asset:mbx
service KR: asset:dka asset:hunt asset:mbl asset:med asset:mlk asset:fct2 asset:aht asset:pci
chain KR: asset:icx asset:aergo asset:meta
service US: asset:mtl
infrastructure IL: asset:orbs
service AU: asset:powr
chain GB: asset:strax
chain JP: asset:astr
defi KR: asset:bfc
chain RO: asset:egld
layer2 KR: asset:tokamak
gaming SG: asset:enj
service JP: asset:jasmy
chain FR: asset:ark
channel -: creator:parkjakka-crypto-lab creator:mignolet-crypto creator:bitshua creator:coin-issue-economy
  creator:tommy-trading-tv creator:kiliman creator:bitcoin-illuminati creator:cryptoquant-youtube creator:sucon
  creator:kang-hwan-guk creator:baek-hoonjong creator:blockmedia-youtube creator:mentalisall creator:defi-farmer
  creator:amazing-dr-shin creator:fisher-invest creator:dantarang creator:sampro-tv creator:syuka-world
  creator:understanding creator:jisik-inside
persona -: creator:jangbu creator:mulgyeol creator:doldari
"""
# Empty fields only. It stands in every record of the history as well, for nobody changed it. The triggers are there,
# so that mirrors fetch what their records now say.
MEND = """
UPDATE knowledge_unit unit SET category = %(category)s, country = %(country)s
WHERE unit.prefix || ':' || unit.slug = ANY (%(ids)s) AND unit.category = '' AND unit.country = '';
"""
HISTORY = """
UPDATE knowledge_historicalunit former SET category = unit.category, country = unit.country
FROM knowledge_unit unit WHERE unit.id = former.id AND unit.category <> '';
SET CONSTRAINTS ALL IMMEDIATE;
"""


def fill(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        for line in re.sub(r"\n  ", " ", KINDS).strip().splitlines():
            (category, country), ids = (part.split() for part in line.split(": ", 1))
            values = {"category": category, "country": country.strip("-"), "ids": ids}
            cursor.execute(MEND, values)
        cursor.execute(HISTORY)


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0043_kinds_and_relations'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
