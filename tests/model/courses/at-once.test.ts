// Requests to several sandboxes at once, compared with the model, for a moment.
import { testAtOnce } from './at-once.js';

testAtOnce(800);
