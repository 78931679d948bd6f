import { createBudget, listBudgets } from './budgets.ts';
import { getForecast } from './forecast.ts';
import { getCoverage } from './coverage/get-coverage.ts';
import { getCommitmentPlan } from './coverage/get-commitment-plan.ts';
import { getTagCompliance } from './tags.ts';
import { generateReport } from './reports.ts';
import { listAccounts } from './accounts.ts';
import { getCostBreakdown } from './costs/get-cost-breakdown.ts';
import { getCostSummary } from './costs/get-cost-summary.ts';
import { getCostTrend } from './costs/get-cost-trend.ts';
import { getDailyCosts } from './costs/get-daily-costs.ts';
import { getAnomaly, listAnomalies, updateAnomaly } from './anomalies.ts';
import { getInventorySummary, listResources } from './inventory.ts';
import {
  getRecommendation,
  getRecommendationsSummary,
  listRecommendations,
  updateRecommendation,
} from './recommendations.ts';
import type { AnyTool } from './tool.ts';

/** All tools, in the order clients show them. */
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
