// Requests to several sandboxes at once, beside the model: a moment of them.
import { testAtOnce } from './at-once.js';

testAtOnce(800);
