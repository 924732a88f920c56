// What is mutated, as the suite takes hold of it: a whole fake in this process, which reads the scenarios itself. Loaded anew for each mutant.

export { silentLog } from '../../../server/engine/log.js';
export { inProcess } from '../../../server/library/target/in-process-target.js';
export { loadScenario } from '../../../server/scenario/load/load.js';
export { assemble } from '../../../server/server.js';
export { settingsFrom } from '../../../server/settings.js';
