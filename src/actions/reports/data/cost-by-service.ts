import { costsByService } from '../../../facts/costs/run.ts';
import { costArgs } from '../filters.ts';
import { formatPercent } from '../document.ts';
import { barChart, stackedChart } from './charts.ts';
import { costHead, dailyBy, dayTable, metricWords } from './cost-head.ts';
import { serviceTable } from './cost-summary.ts';
import type { ReadDataSet } from './data-set.ts';

/** Reads the cost of each service. */
export const readCostByService: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const args = costArgs('cost_by_service', report.filters);
  const answer = await costsByService(deps, scope, { ...args, startDate: report.startDate, endDate: report.endDate });
  const { summary, notes } = await costHead(request, args, answer);
  const daily = await dailyBy(request, args, 'service');
  const { groups, currency } = answer;
  const share = groups[0]?.percentage ?? null;
  const bars = groups.map(({ service, cost }) => ({ label: service, value: cost }));
  return {
    subtitle: `Cost of each service, as ${metricWords(answer)}.`,
    summary: [
      ...summary,
      { label: 'Services', value: String(groups.length) },
      ...(groups[0] && share !== null
        ? [{ label: 'Largest service', value: `${groups[0].service} (${formatPercent(share)})` }]
        : []),
    ],
    charts: [barChart('Largest services', currency, bars), stackedChart('service', daily)].filter(
      (chart) => chart !== null,
    ),
    sections: [serviceTable(answer), dayTable(daily)],
    notes,
  };
};
