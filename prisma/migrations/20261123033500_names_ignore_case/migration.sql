-- Lists by name ignore case. None of these columns is indexed, so a new version of ICU cannot harm an index. A PostgreSQL
-- without ICU keeps the order of the database.
DO $$
DECLARE
  list TEXT;
BEGIN
  IF EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu') THEN
    FOREACH list IN ARRAY ARRAY['accounts', 'alert_rules', 'api_tokens', 'budgets', 'passkeys', 'report_schedules', 'tag_policies'] LOOP
      EXECUTE format('ALTER TABLE %I ALTER COLUMN "name" TYPE TEXT COLLATE "und-x-icu"', list);
    END LOOP;
  END IF;
END $$;

-- Resources are many, so their list needs an index; `lower` needs no ICU.
DROP INDEX "inventory_resources_account_id_name_id_idx";
CREATE INDEX "inventory_resources_account_id_lower_name_id_idx" ON "inventory_resources"("account_id", lower("name"), "id");
