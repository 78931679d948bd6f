import { z } from 'zod';

/** One value or several of a filter. */
export const several = z.array(z.string().min(1)).min(1).max(50).optional();

/** Which costs are meant; each takes one or several values. */
export const costFilters = {
  account_id: several.describe('Ids from list_accounts'),
  provider: several.describe('aws, azure, gcp, or another slug'),
  service: several.describe('Names as get_cost_breakdown by service gives them'),
  region: several.describe('Names as get_cost_breakdown by region gives them'),
};

/** Which page of a list. */
export const pageInput = {
  page: z.int().min(1).optional().describe('From 1'),
  per_page: z.int().min(1).max(100).optional().describe('Default 20'),
};
