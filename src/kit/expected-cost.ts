/** Actual or forecast cost of a day. */
export interface DayCost {
  readonly date: string;
  readonly cost: number;
}

/** Actual and forecast costs by day. */
export interface Costs {
  /** Actual costs, also of days whose bills are incomplete. */
  readonly days: readonly DayCost[];
  /** The forecast. */
  readonly points: readonly DayCost[];
  /** Last day with complete bills; empty if there is none. */
  readonly completeTo: string;
}

/** Expected cost of a day: one of the two is 0. */
interface ExpectedDay {
  readonly date: string;
  readonly actual: number;
  readonly forecast: number;
}

/** Returns the expected cost of each day: the actual cost of complete days, and the forecast of the others. Days whose bills are
 *  incomplete have both: the larger one counts, as in budgets. */
export function expectedDays({ days, points, completeTo }: Costs): ExpectedDay[] {
  const [actuals, forecasts] = [costsByDay(days), costsByDay(points)];
  return [...new Set([...actuals.keys(), ...forecasts.keys()])].map((date) => {
    const actual = actuals.get(date) ?? 0;
    const forecast = forecasts.get(date) ?? 0;
    return date <= completeTo || actual >= forecast ? { date, actual, forecast: 0 } : { date, actual: 0, forecast };
  });
}

function costsByDay(list: readonly DayCost[]): ReadonlyMap<string, number> {
  return new Map(list.map(({ date, cost }) => [date, cost]));
}
