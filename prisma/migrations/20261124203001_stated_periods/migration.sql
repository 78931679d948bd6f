-- Billing months as the provider states them, in FOCUS 1.4 Billing Period files.
CREATE TABLE "stated_periods" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "period" DATE NOT NULL,
    "issuer" TEXT NOT NULL,
    "is_closed" BOOLEAN NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stated_periods_pkey" PRIMARY KEY ("account_id","period","issuer")
);
CREATE INDEX "stated_periods_organization_id_idx" ON "stated_periods"("organization_id");
ALTER TABLE "stated_periods" ADD CONSTRAINT "stated_periods_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
