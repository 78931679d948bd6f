-- Virtual tags: rules that give every charge one value, and the rollups of their evaluations.
CREATE TABLE "virtual_tags" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "default_value" TEXT NOT NULL,
    "rules" JSONB NOT NULL,
    "splits" JSONB NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "slot" SMALLINT NOT NULL,
    "revision" INTEGER NOT NULL,
    "live_revision" INTEGER NOT NULL,
    "live" JSONB NOT NULL,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "virtual_tags_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "virtual_tags_organization_id_key_key" ON "virtual_tags"("organization_id", "key");
CREATE UNIQUE INDEX "virtual_tags_organization_id_slot_key" ON "virtual_tags"("organization_id", "slot");

ALTER TABLE "virtual_tags" ADD CONSTRAINT "virtual_tags_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE TABLE "virtual_tag_months" (
    "account_id" UUID NOT NULL,
    "period" DATE NOT NULL,
    "rollup" SMALLINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "virtual_tag_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "load_id" UUID NOT NULL,
    "rolled_up" BOOLEAN NOT NULL,

    CONSTRAINT "virtual_tag_months_pkey" PRIMARY KEY ("account_id","period","rollup")
);

CREATE TABLE "virtual_values" (
    "account_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "virtual_values_pkey" PRIMARY KEY ("account_id","id")
);

ALTER TABLE "cost_rollups" ADD COLUMN "virtual_value_id" BIGINT;
