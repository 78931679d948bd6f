-- An audit entry is what happened. Nothing changes one: no code of ours does, and none that gets in.
CREATE FUNCTION "audit_entries_never_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Audit entries never change';
END
$$;
CREATE TRIGGER "audit_entries_never_change" BEFORE UPDATE ON "audit_entries"
  FOR EACH ROW EXECUTE FUNCTION "audit_entries_never_change"();
