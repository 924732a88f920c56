// Waits for what comes by itself, such as a changed file being noticed. The time-out of the test is the only limit.

export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 25));
}
