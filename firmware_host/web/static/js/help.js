// @ts-check
// The help: a page to be read, with the settings that every page has.

import { wireChoices, wireDialogs } from "./page.js";

wireDialogs();
wireChoices();
