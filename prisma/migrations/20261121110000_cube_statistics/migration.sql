-- Nothing is searched by its sums: ANALYZE need not sort them, which is half of its work after a load.
ALTER TABLE "cost_facts"
  ALTER COLUMN "line_items" SET STATISTICS 0, ALTER COLUMN "billed" SET STATISTICS 0,
  ALTER COLUMN "effective" SET STATISTICS 0, ALTER COLUMN "list" SET STATISTICS 0,
  ALTER COLUMN "contracted" SET STATISTICS 0, ALTER COLUMN "pricing_quantity" SET STATISTICS 0,
  ALTER COLUMN "consumed_quantity" SET STATISTICS 0;
ALTER TABLE "cost_rollups"
  ALTER COLUMN "line_items" SET STATISTICS 0, ALTER COLUMN "billed" SET STATISTICS 0,
  ALTER COLUMN "effective" SET STATISTICS 0, ALTER COLUMN "list" SET STATISTICS 0,
  ALTER COLUMN "contracted" SET STATISTICS 0;
