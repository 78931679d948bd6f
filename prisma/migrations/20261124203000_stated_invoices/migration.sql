-- Invoices as the provider states them, in FOCUS 1.4 Invoice Detail files.
CREATE TABLE "stated_invoices" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL DEFAULT '',
    "billing_period_start" DATE NOT NULL,
    "billing_account_id" TEXT NOT NULL DEFAULT '',
    "currency" TEXT NOT NULL,
    "amount" DECIMAL(38,12) NOT NULL,
    "source" TEXT NOT NULL,
    "file" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stated_invoices_pkey" PRIMARY KEY ("account_id","invoice_id","issuer","billing_period_start","currency")
);
CREATE INDEX "stated_invoices_organization_id_idx" ON "stated_invoices"("organization_id");
ALTER TABLE "stated_invoices" ADD CONSTRAINT "stated_invoices_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
