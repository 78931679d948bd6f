-- Earlier versions could leave records without an owner that a member created while they were removed. They are treated as by a
-- removal: private ones are deleted, and the others pass to the Super Admin. What is computed in the scope of its owner has no
-- accounts until the Super Admin changes it, because those that the former owner could see are unknown.
DELETE FROM "saved_views" t WHERE t."visibility" = 'private' AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

DELETE FROM "dashboards" t WHERE t."visibility" = 'private' AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "alert_rules" t SET "is_inherited" = true, "inherited_scope" = '{}'
WHERE NOT t."is_inherited" AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "budgets" t SET "is_inherited" = true, "inherited_scope" = '{}'
WHERE NOT t."is_inherited" AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "report_schedules" t SET "is_inherited" = true, "inherited_scope" = '{}'
WHERE NOT t."is_inherited" AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "accounts" t SET "created_by" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by");

UPDATE "invites" t SET "invited_by" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."invited_by" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."invited_by");

UPDATE "tag_policies" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "virtual_tags" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "alert_rules" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "budgets" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "report_schedules" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "reports" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "uploaded_files" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "unit_metrics" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "channels" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "saved_views" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "dashboards" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "annotations" t SET "created_by_id" = o."user_id" FROM "memberships" o
WHERE o."organization_id" = t."organization_id" AND o."role" = 'super_admin' AND t."created_by_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."created_by_id");

UPDATE "anomalies" t SET "assignee_id" = null
WHERE t."assignee_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."assignee_id");

UPDATE "recommendations" t SET "assignee_id" = null
WHERE t."assignee_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "memberships" m WHERE m."organization_id" = t."organization_id" AND m."user_id" = t."assignee_id");
