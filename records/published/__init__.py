"""Logs that others published, read as visits, records and judgements of our own shapes.

Published are the consultations, one-step reports, judgements and conferences of AI Hospital (arXiv
2402.09742). What a log does not tell stays empty; nothing is made up for it.
"""

from records.published.mvme import Judgement, PublishedRun, read_mvme

__all__ = ["Judgement", "PublishedRun", "read_mvme"]
