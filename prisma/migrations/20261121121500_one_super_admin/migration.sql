-- An organization has exactly one Super Admin: never two, however many transfers run at once. That it has one at all, the
-- transactions see to that change members.
CREATE UNIQUE INDEX "memberships_one_super_admin_key" ON "memberships"("organization_id") WHERE "role" = 'super_admin';
