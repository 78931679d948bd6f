-- DropIndex
DROP INDEX "anomalies_organization_id_detected_at_id_account_id_status__idx";

-- CreateIndex
CREATE INDEX "anomalies_organization_id_start_date_detected_at_id_account_idx" ON "anomalies"("organization_id", "start_date", "detected_at", "id", "account_id", "status", "severity");
