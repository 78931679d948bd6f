import type { ReportType } from '../kinds.ts';
import { readAnomalies } from './anomalies.ts';
import { readBudgets } from './budgets.ts';
import { readCostByAccount, readCostByService, readCostByTag, readCostSummary } from './costs.ts';
import { readCoverageReport } from './coverage.ts';
import type { ReadDataSet } from './data-set.ts';
import { readInventory } from './inventory.ts';
import { readInvoices } from './invoices.ts';
import { readRecommendations } from './recommendations.ts';
import { readShowback } from './showback.ts';

/** The reader of each report type's data. */
export const dataSets: Readonly<Record<ReportType, ReadDataSet>> = {
  cost_summary: readCostSummary,
  cost_by_service: readCostByService,
  cost_by_account: readCostByAccount,
  cost_by_tag: readCostByTag,
  showback: readShowback,
  inventory: readInventory,
  recommendations: readRecommendations,
  anomalies: readAnomalies,
  budgets: readBudgets,
  coverage: readCoverageReport,
  invoices: readInvoices,
};
