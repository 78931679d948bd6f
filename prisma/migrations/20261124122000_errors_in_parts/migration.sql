-- Errors are kept in parts, so that each API can spell the names in them. A text of before stays what it is: a JSON string.
ALTER TABLE "account_syncs" ALTER COLUMN "last_error" TYPE JSONB USING to_jsonb("last_error");
ALTER TABLE "reports" ALTER COLUMN "failure" TYPE JSONB USING to_jsonb("failure");
