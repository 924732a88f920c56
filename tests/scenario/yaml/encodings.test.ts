// Text files as tools write them: UTF-8 and UTF-16 with a byte order mark are read, other encodings are named.
import { expect } from 'chai';
import { adds, pactOf, replies } from '../../harness/verify/running.js';
import { useScratch } from '../../support/files/scratch.js';
import { run } from '../../support/processes/commands.js';

const scenario = 'title: Grüße\nsteps: []\n';
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
const readable: Record<string, (text: string) => Buffer> = {
  'UTF-8': text => Buffer.from(text),
  'UTF-8 with a mark': text => Buffer.from(`\uFEFF${text}`),
  'UTF-16 LE with a mark, as PowerShell writes': text => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 BE with a mark': text => swapped(`\uFEFF${text}`),
};
const unreadable: Record<string, [bytes: Buffer, says: string]> = {
  'UTF-32 LE': [Buffer.from([0xff, 0xfe, 0, 0, 0x74, 0, 0, 0]), 'The file is UTF-32.'],
  'UTF-32 BE': [Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x74]), 'The file is UTF-32.'],
  'UTF-16 LE without a mark': [Buffer.from(scenario, 'utf16le'), 'The file is UTF-16 without a byte order mark'],
  'UTF-16 BE without a mark': [swapped(scenario), 'The file is UTF-16 without a byte order mark'],
  'Windows-1252': [Buffer.from(scenario, 'latin1'), 'probably Windows-1252 or Latin-1'],
  'cut UTF-16': [Buffer.from([0xff, 0xfe, 0x74, 0, 0x00]), 'The file is not valid UTF-16LE.'],
};
const pact = pactOf([adds('adds Alice', { group: 'customers', users: ['alice'] }, replies(200))]);

describe('the encoding of a text file', () => {
  const files = useScratch();

  for (const [what, encode] of Object.entries(readable))
    it(`may be ${what}`, async () => {
      files.write('mine.yaml', encode(scenario));
      expect(await run(['check', 'mine.yaml'], { cwd: files.path })).to.include({ code: 0 });
    });

  it('is the same of readings and of pacts', async () => {
    const encode = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
    files.write('readings.yaml', encode('unknown-user: "400"\n'));
    expect((await run(['openapi', '--readings', 'readings.yaml'], { cwd: files.path })).code).to.equal(0);
    files.write('pact.json', encode(JSON.stringify(pact)));
    expect(await run(['verify', 'pact.json'], { cwd: files.path })).to.include({ code: 0, stderr: '' });
  });

  it('is named with the fix if it is another', async () => {
    for (const [what, [bytes, says]] of Object.entries(unreadable)) {
      files.write('mine.yaml', bytes);
      const { code, stdout } = await run(['check', 'mine.yaml'], { cwd: files.path });
      expect(code, what).to.equal(2);
      expect(stdout).to.contain(says).and.to.contain('Save it as UTF-8');
    }
  });
});
