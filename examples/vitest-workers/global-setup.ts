// Starts the fake before the workers, and stops it after them.
import { startFake } from 'cwx-fake';

export default async function setup() {
  const fake = await startFake();
  process.env.CWX_FAKE_URL = fake.url;
  return () => fake.stop();
}
