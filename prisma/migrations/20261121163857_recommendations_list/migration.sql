-- CreateIndex
CREATE INDEX "recommendations_list_idx" ON "recommendations"("organization_id", "created_at", "id", "account_id", "status", "snoozed_until", "type", "provider", "currency", "estimated_monthly_savings");
