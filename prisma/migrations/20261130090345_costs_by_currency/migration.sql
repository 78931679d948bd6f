-- AlterTable
ALTER TABLE "inventory_counts" ADD COLUMN     "has_other_costs" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "tag_violation_counts" ADD COLUMN     "has_other_costs" BOOLEAN NOT NULL DEFAULT false;

-- The costs by month get their currency: "2026-10" becomes "USD 2026-10".
UPDATE "inventory_resources" SET "month_costs" = (
  SELECT jsonb_object_agg("currency" || ' ' || part.key, part.value) FROM jsonb_each("month_costs") AS part
) WHERE "month_costs" <> '{}';

UPDATE "tag_violations" SET "month_costs" = (
  SELECT jsonb_object_agg("currency" || ' ' || part.key, part.value) FROM jsonb_each("month_costs") AS part
) WHERE "month_costs" <> '{}';
