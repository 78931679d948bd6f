-- Sums of each billing month by invoice. Months loaded before have none until they are filled from their fact files.
CREATE TABLE "invoice_sums" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "billing_period" DATE NOT NULL,
    "issuer" TEXT NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "billing_account_id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "line_items" BIGINT NOT NULL,
    "billed" DECIMAL(38,12) NOT NULL,

    CONSTRAINT "invoice_sums_pkey" PRIMARY KEY ("account_id","billing_period","issuer","invoice_id","currency")
);
CREATE INDEX "invoice_sums_organization_id_idx" ON "invoice_sums"("organization_id");
ALTER TABLE "invoice_sums" ADD CONSTRAINT "invoice_sums_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Amounts of invoices as typed in by members; they win over stated_invoices.
CREATE TABLE "typed_invoices" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "billing_period_start" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" DECIMAL(38,12) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "typed_invoices_pkey" PRIMARY KEY ("account_id","invoice_id","issuer","billing_period_start","currency")
);
CREATE INDEX "typed_invoices_organization_id_idx" ON "typed_invoices"("organization_id");
ALTER TABLE "typed_invoices" ADD CONSTRAINT "typed_invoices_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
