-- CreateIndex
CREATE INDEX "recommendations_organization_id_account_id_resource_id_idx" ON "recommendations"("organization_id", "account_id", "resource_id");
