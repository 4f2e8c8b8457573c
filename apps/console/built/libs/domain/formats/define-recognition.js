export function defineRecognition(importType, recognises) {
    return { importType, recognises };
}
