"""English words that begin headlines, and so with a capital, and are no names; more of them have a meaning."""

import re

COMMON_WORDS = frozenset(
    re.findall(
        r"[a-z]+",
        """
        about above across again against almost alone along already although always am among analysis another
        around away back bad banks because become behind being below best better between beyond big both breaking
        bring buyers came coins column come could courts creditors customers cut dark day days deep despite
        developers did different does done down dozens during each early easy eight either end enough even ever
        every everyone everything exchanges exclusive executives explainer factbox far fast few fifth firms five
        found founders four fourth fresh full further gave get gets getting give given go goes going gone good
        got great hackers had half hard help here high hint hits holders huge hundreds inside instead investors
        itself judges keep keeps kept key know known lack last late latest latter lawmakers least left less let
        life light like little live lone long look looks lot low made main major make makes many markets maybe me
        mean means meet might millions mine miners month months much must my near nearly need needs never next
        nine nobody none nothing officials often old once one ones onto open opinion order other others ours
        outside own past pay people perhaps place plus podcast point police prices prosecutors put puts quick
        quiet quite rare rather ready real really recap red regulators review right rise room round same saw
        second see seek seeks seem seen sellers seven several shall shares she short show shows side since six
        slow small some someone something soon sort sources stand still stocks stop story strong such sure take
        takes tell ten test thanks thieves thing things think third those though thousands three through thus
        time timeline times today tokens told tomorrow too took top toward traders tried try turn twelve twice
        two under unlike until update upon us use used users very via victims video wait want wants watch way
        ways week weeks well went were whether white whole whose wide within without word work world worst year
        years yes yesterday yet young yours
        """,
    )
)
