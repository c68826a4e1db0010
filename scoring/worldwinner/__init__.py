"""WorldWinner Boggle: three rounds on tiles with values, two of them with bonus tiles.

`tiles` says what lies there, `words` what words are worth, `match` plays; `events` are what a
touch display, a page or a terminal tells it. The numbers stand in `scoring.rules.worldwinner`.
"""
