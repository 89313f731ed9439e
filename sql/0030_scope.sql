-- What concerns which workload, packed beside the gate's summary (lib/gate/scope.h).
ALTER TABLE briefs ADD COLUMN IF NOT EXISTS scope MEDIUMBLOB NULL;
