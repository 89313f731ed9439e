-- What a risk costs stands in ledgers since 0006. To drop the column changes the table's description
-- only, however many rows it has.
ALTER TABLE risks DROP COLUMN IF EXISTS impact, ALGORITHM=INSTANT;
