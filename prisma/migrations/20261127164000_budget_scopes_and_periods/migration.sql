-- Budgets by tag, virtual tag and sub-account, of months, quarters and years; alert rules by sub-account.
ALTER TABLE "budgets" ADD COLUMN     "sub_account_id" TEXT,
ADD COLUMN     "tag_key" TEXT,
ADD COLUMN     "tag_value" TEXT;

ALTER TABLE "alert_rules" ADD COLUMN     "sub_account_id" TEXT;

-- The alerts so far are those of months.
ALTER TABLE "budget_alerts" RENAME COLUMN "month" TO "period_start";
ALTER TABLE "budget_alerts" ADD COLUMN "period" TEXT NOT NULL DEFAULT 'monthly';
ALTER TABLE "budget_alerts" ALTER COLUMN "period" DROP DEFAULT;
ALTER TABLE "budget_alerts" DROP CONSTRAINT "budget_alerts_pkey",
ADD CONSTRAINT "budget_alerts_pkey" PRIMARY KEY ("budget_id", "period", "period_start", "threshold");
