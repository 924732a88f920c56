// What is mutated, as the suite takes hold of it: a whole fake in this process, which reads the scenarios itself. Loaded anew for each mutant.
export { assemble } from '../../server/assemble.js';
export { silentLog } from '../../server/http/log.js';
export { loadScenario } from '../../server/scenario/load.js';
export { settingsFrom } from '../../server/settings.js';
export { inProcess } from '../../server/targets/in-process.js';
