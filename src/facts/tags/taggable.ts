/** SQL that tells whether a charge could carry a tag that somebody set: a resource is used, or bought other than as a
 *  commitment. Nobody can tag a tax, a credit, an adjustment, the unused part of a commitment, a support plan, or what has no
 *  resource. `f` is a row of cost_facts; `$1` is the account and `$2` the organization. Codes: see CostFact in schema.prisma. */
export const taggable = `(f.resource_id <> 0 AND f.pricing_kind NOT IN (6, 7)
  AND (f.charge_category = 1 OR (f.charge_category = 2 AND f.commitment_id = 0))
  AND f.service_id <> ALL (ARRAY(
    SELECT id FROM services WHERE account_id = $1 AND organization_id = $2 AND name ~* 'support')))`;
