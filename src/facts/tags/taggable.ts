/** SQL that tells whether a charge could carry a tag that somebody set: a resource is used, or bought other than as a
 *  commitment. Nobody can tag a tax, a credit, an adjustment, the unused part of a commitment, a support plan, or what has no
 *  resource. `f` is a row of cost_facts, `s` its service (null where it has none). Codes: see CostFact in schema.prisma. */
export const taggable = `(f.resource_id <> 0 AND f.pricing_kind NOT IN (6, 7)
  AND (f.charge_category = 1 OR (f.charge_category = 2 AND f.commitment_id = 0))
  AND coalesce(s.name, '') !~* 'support')`;

/** The join that `taggable` needs. */
export const withService = 'LEFT JOIN services s ON s.account_id = f.account_id AND s.id = f.service_id';
