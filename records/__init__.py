"""Paper: records and their views, visits, the ledger, and what reads and links them."""
