import { z } from 'zod';
import { costFilters, several } from '../../input/filters.ts';

/** Which resources are meant. */
export const resourceFilters = {
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  service: several,
  region: several,
  resource_type: several.describe('From get_inventory_summary'),
  tag_key: z.string().min(1).optional(),
  tag_value: several.describe('Requires tag_key'),
};
