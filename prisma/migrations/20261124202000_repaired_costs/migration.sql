-- Charges whose costs were completed or changed when they were read: the account's warnings name them.
ALTER TABLE "billing_periods" ADD COLUMN "repairs" JSONB NOT NULL DEFAULT '[]';
