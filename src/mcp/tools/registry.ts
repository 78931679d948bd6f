import { listBudgets } from './budgets/list-budgets.ts';
import { createBudget } from './budgets/create-budget.ts';
import { getForecast } from './forecast/get-forecast.ts';
import { getCoverage } from './coverage/get-coverage.ts';
import { getCommitmentPlan } from './coverage/get-commitment-plan.ts';
import { getTagCompliance } from './tags/get-tag-compliance.ts';
import { generateReport } from './reports/generate-report.ts';
import { listAccounts } from './accounts/list-accounts.ts';
import { getCostBreakdown } from './costs/get-cost-breakdown.ts';
import { getCostSummary } from './costs/get-cost-summary.ts';
import { getCostTrend } from './costs/get-cost-trend.ts';
import { getDailyCosts } from './costs/get-daily-costs.ts';
import { getAnomaly } from './anomalies/get-anomaly.ts';
import { listAnomalies } from './anomalies/list-anomalies.ts';
import { updateAnomaly } from './anomalies/update-anomaly.ts';
import { getInventorySummary } from './inventory/get-inventory-summary.ts';
import { listResources } from './inventory/list-resources.ts';
import { getRecommendation } from './recommendations/get-recommendation.ts';
import { getRecommendationsSummary } from './recommendations/get-recommendations-summary.ts';
import { listRecommendations } from './recommendations/list-recommendations.ts';
import { updateRecommendation } from './recommendations/update-recommendation.ts';
import type { AnyTool } from './tool.ts';

/** Every tool, in the order in which clients show them. */
export const tools: readonly AnyTool[] = [
  getCostSummary,
  getCostBreakdown,
  getDailyCosts,
  getCostTrend,
  listResources,
  getInventorySummary,
  listRecommendations,
  getRecommendation,
  getRecommendationsSummary,
  updateRecommendation,
  listAnomalies,
  getAnomaly,
  updateAnomaly,
  listBudgets,
  createBudget,
  getForecast,
  getCoverage,
  getCommitmentPlan,
  getTagCompliance,
  generateReport,
  listAccounts,
];
