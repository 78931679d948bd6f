-- Made anew of the charges.
TRUNCATE "coverage_days", "coverage_periods";

-- AlterTable
ALTER TABLE "cost_facts" ADD COLUMN "start_hours" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "coverage_days" ADD COLUMN "hourly" DOUBLE PRECISION[],
ADD COLUMN     "uneven" DECIMAL NOT NULL;
