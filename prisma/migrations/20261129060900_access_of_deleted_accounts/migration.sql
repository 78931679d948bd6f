-- Earlier versions kept the ids of deleted accounts in the access of members and invitations, and a change of the access that sent them
-- back was rejected.
UPDATE "memberships" m SET "account_access" = ARRAY(
  SELECT id FROM unnest(m."account_access") WITH ORDINALITY AS access (id, position)
  WHERE EXISTS (SELECT FROM "accounts" a WHERE a."organization_id" = m."organization_id" AND a."id" = access.id)
  ORDER BY position)
WHERE m."account_access" <> '{}';

UPDATE "invites" i SET "account_access" = ARRAY(
  SELECT id FROM unnest(i."account_access") WITH ORDINALITY AS access (id, position)
  WHERE EXISTS (SELECT FROM "accounts" a WHERE a."organization_id" = i."organization_id" AND a."id" = access.id)
  ORDER BY position)
WHERE i."account_access" <> '{}';
