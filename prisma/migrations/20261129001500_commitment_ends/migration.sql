-- Forecasts look for the commitments among an account's listed resources, which are few of many.
CREATE INDEX "inventory_listings_ends_idx" ON "inventory_listings"("organization_id", "account_id") WHERE "metadata" ? 'endsAt';
