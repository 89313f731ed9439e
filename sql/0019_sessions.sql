-- A session keeps its id and its beginning through all its tokens. Rows that an older program makes meanwhile get both.
ALTER TABLE sessions
    ADD COLUMN IF NOT EXISTS session_id   UUID         NOT NULL DEFAULT UUID(),
    ADD COLUMN IF NOT EXISTS began_at     DATETIME(3)  NOT NULL DEFAULT UTC_TIMESTAMP(3),  -- the login
    ADD COLUMN IF NOT EXISTS last_used_at DATETIME(3)  NOT NULL DEFAULT UTC_TIMESTAMP(3),  -- to the minute
    ADD COLUMN IF NOT EXISTS address      VARCHAR(64)  NOT NULL DEFAULT '',                -- of then
    ADD COLUMN IF NOT EXISTS user_agent   VARCHAR(200) NOT NULL DEFAULT '';
UPDATE sessions SET began_at = created_at WHERE began_at > created_at;
