// @ts-check
// Sending a photo. Only the old way of asking tells how much of it has gone.

/** @typedef {import("./api.js").Answer} Answer */

/** Bytes that the service takes, and milliseconds that it may think. */
export const LARGEST = 25_000_000;
const PATIENCE = 120_000;

/**
 * Send a photo of a list.
 *
 * @param {Blob} photo
 * @param {(share: number) => void} onProgress of it that has gone, 0–1
 * @returns {Promise<Answer>}
 */
export function uploadPaper(photo, onProgress) {
  const form = new FormData();
  form.append("picture", photo);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/paper");
    request.responseType = "json";
    request.timeout = PATIENCE;
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onloadend = () => resolve(answerOf(request));
    request.send(form);
  });
}

/** @param {Pick<XMLHttpRequest, "status" | "response">} request @returns {Answer} */
export function answerOf({ status, response }) {
  return { ok: status >= 200 && status < 300, status, document: response ?? null };
}
