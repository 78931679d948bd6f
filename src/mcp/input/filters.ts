import { z } from 'zod';

const mostValues = 50;

/** One value or several of a filter. What is refused is told when it comes: in each tool's schema it would cost more. */
export const several = z
  .array(z.string())
  .refine((values) => values.length > 0 && values.length <= mostValues, `Use 1 to ${mostValues} values`)
  .refine((values) => !values.includes(''), 'Omit empty values')
  .optional();

/** Which costs are meant; each takes one or several values. */
export const costFilters = {
  account_id: several.describe('Ids from list_accounts'),
  provider: several.describe('Such as aws, azure, gcp'),
  service: several.describe('Names from get_cost_breakdown'),
  region: several.describe('Names from get_cost_breakdown'),
};

/** Which page of a list; its rows are long. */
export const pageInput = {
  page: z.int().min(1).optional(),
  per_page: z.int().min(1).max(50).optional().describe('Default 20'),
};
