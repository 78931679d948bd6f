-- An organization takes the currency of its first bill, unless a member has set one.
ALTER TABLE "organizations" ADD COLUMN "is_currency_chosen" BOOLEAN NOT NULL DEFAULT true;

UPDATE "organizations" o SET "is_currency_chosen" = false
WHERE o."currency" = 'USD' AND NOT EXISTS (SELECT FROM "billing_periods" b WHERE b."organization_id" = o."id");
