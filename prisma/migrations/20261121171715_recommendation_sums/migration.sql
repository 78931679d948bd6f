-- CreateTable
CREATE TABLE "recommendation_sums" (
    "organization_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "status" "recommendation_status" NOT NULL,
    "currency" TEXT NOT NULL,
    "recommendations" INTEGER NOT NULL,
    "savings" DECIMAL NOT NULL,

    CONSTRAINT "recommendation_sums_pkey" PRIMARY KEY ("organization_id","account_id","provider","type","status","currency")
);

-- CreateIndex
CREATE INDEX "recommendations_organization_id_snoozed_until_idx" ON "recommendations"("organization_id", "snoozed_until");

-- CreateIndex
CREATE INDEX "recommendations_savings_idx" ON "recommendations"("organization_id", "account_id", "currency", "estimated_monthly_savings", "id", "status", "snoozed_until", "type", "provider");

-- AddForeignKey
ALTER TABLE "recommendation_sums" ADD CONSTRAINT "recommendation_sums_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What there is already.
INSERT INTO "recommendation_sums" ("organization_id", "account_id", "provider", "type", "status", "currency", "recommendations", "savings")
SELECT "organization_id", "account_id", "provider", "type", "status", "currency", count(*), sum("estimated_monthly_savings")
FROM "recommendations" GROUP BY 1, 2, 3, 4, 5, 6;
