/** Runs a pipeline step one item ahead of its consumer. An error of the step reaches the consumer after the preceding items.
 *  @param abort called when the consumer ends early, so that the step need not finish its item */
export async function* ahead<Item>(
  step: AsyncGenerator<Item, void>,
  abort: () => void,
): AsyncGenerator<Item, void, undefined> {
  let isOver = false;
  let next = settled(step);
  try {
    for (;;) {
      const [outcome] = await next;
      isOver = outcome.status === 'rejected' || outcome.value.done === true;
      if (outcome.status === 'rejected') throw outcome.reason;
      if (outcome.value.done) return;
      next = settled(step);
      yield outcome.value.value;
    }
  } finally {
    if (!isOver) {
      abort();
      await step.return();
    }
  }
}

function settled<Item>(step: AsyncGenerator<Item, void>): Promise<[PromiseSettledResult<IteratorResult<Item, void>>]> {
  return Promise.allSettled([step.next()]);
}
