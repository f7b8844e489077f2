// Unpacks the Chromium of the packages into TMPDIR, and prints where it lies and its libraries do.
import chromium from '@sparticuz/chromium';

const executablePath = await chromium.executablePath();
console.log(JSON.stringify({ executablePath, libraries: process.env.LD_LIBRARY_PATH }));
